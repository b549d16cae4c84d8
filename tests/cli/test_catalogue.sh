#!/usr/bin/env bash
# glint presents filters: the list by category, that list as JSON, and a page of help for each.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }

gives 0 list filters
cp .out list
gives 0 list filters --json
cp .out filters.json
check "one JSON object" jq -es 'length == 1 and .[0].glint == "filters"' filters.json >/dev/null
check "the list has the same filters" test "$(grep -oE '^[a-z][a-z0-9]*' list | sort)" = "$(jq -r '.filters[].name' filters.json | sort)"
check "a filter says what tools expect" jq -e '.filters | length > 10 and all(.[];
    keys == ["category", "definition", "example", "help", "name", "parameters"]
    and all(.name, .category, .definition, .example, .help; type == "string" and length > 0)
    and (.help | test("^[A-Z].*\\.$")) and (.definition | test("\\.$")))' filters.json >/dev/null
check "a parameter does" jq -e '[.filters[].parameters[]] | length > 10 and all(.[];
    keys == ["choices", "default", "help", "kind", "maximum", "minimum", "name", "step", "unit"]
    and (.kind | IN("number", "whole", "switch", "choice", "text", "image", "cube")))' filters.json >/dev/null
check "numbers have a range" jq -e '[.filters[].parameters[] | select(.kind | IN("number", "whole", "switch"))]
    | length > 10 and all(.[]; .minimum < .maximum and .minimum <= .default and .default <= .maximum and .step > 0
    and .choices == null)' filters.json >/dev/null
check "choices are words" jq -e '[.filters[].parameters[] | select(.kind == "choice")]
    | all(.[]; .default as $word | (.choices | length > 1) and any(.choices[]; . == $word))' filters.json >/dev/null
check "names of parameters differ" jq -e 'all(.filters[]; [.parameters[].name] | length == (unique | length))' \
    filters.json >/dev/null

# Each stands below the title of its category.
awk '/^[A-Z].*:$/ { title = tolower(substr($0, 1, length($0) - 1)) } /^[a-z]/ { print title "/" $1 }' list | sort >listed
jq -r '.filters[] | .category + "/" + .name' filters.json | sort >stated
check "filters stand below their categories" cmp -s listed stated
check "a title for each category" test "$(grep -c '^[A-Z].*:$' list)" -eq "$(cut -d/ -f1 stated | sort -u | wc -l)"

# Help has all of it, and its example is a line that runs.
while IFS=$'\t' read -r filter help definition params; do
    gives 0 help "$filter"
    tells "^$filter \(filter: "
    check "its help and definition" test "$(grep -cxF -e "    $help" -e "    Definition: $definition" .out)" -eq 2
    check "its parameters" test "$(sed -n '/^    Param/,/^    Example/s/^      \([^ ]*\) .*; .*/\1/p' .out | tr '\n' ' ')" = \
        "$params${params:+ }"
    tells "^    Example: glint batch '?$filter[= ].*photo.jpg -o result.png$"
done < <(jq -r '.filters[] | [.name, .help, .definition, ([.parameters[].name] | join(" "))] | @tsv' filters.json)
gives 0 help gaussian
tells '0\.1 to .* pixels, default 2'

gives 0 list borders --json
tells '"name": "wrap"'
gives 0 list levels --json
tells '"operation": "convolve"'
gives 2 list experiments --json
says 'list experiments: there is no JSON of these; want filters, '
gives 2 list filters --jsn
says 'filters'
gives 2 list filters --json more
finish
