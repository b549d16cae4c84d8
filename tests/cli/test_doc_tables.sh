#!/usr/bin/env bash
# The tables of docs/ that tools/doc-tables makes of tests/gpu/record.json: as the record has them, and noticed if not.
tree=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }

last="tools/doc-tables --check"
check "the documents have the record's figures" "$tree/tools/doc-tables" --check

record=$tree/tests/gpu/record.json
cp "$tree/docs/trace.md" page.md
jq '(.measured.figures[] | select(.job == "trace, cloud=2000, 2000 spheres, perspective, classic, u8x4, 1024x1024") | .ms) = 1234.5' "$record" >other.json
refute "another figure is noticed" "$tree/tools/doc-tables" --check other.json page.md >/dev/null
check "and changes nothing" cmp -s page.md "$tree/docs/trace.md"
check "the page is rewritten" "$tree/tools/doc-tables" other.json page.md
check "with that figure" grep -q '^| 2 000 | 1234\.500 cull |' page.md
check "and nothing else" test "$(diff page.md "$tree/docs/trace.md" | grep -c '^[<>]')" -eq 2
jq 'del(.measured.figures[] | select(.job == "trace, cloud=2000, 2000 spheres, random, classic, u8x4, 2048x2048"))' "$record" >short.json
refute "a figure that is missing is an error" "$tree/tools/doc-tables" short.json page.md 2>/dev/null
check "and leaves the page alone" grep -q '^| 2 000 | 1234\.500 cull |' page.md

finish
