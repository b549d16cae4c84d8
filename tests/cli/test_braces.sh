#!/usr/bin/env bash
# Names: the order in which a folder's files come, and braces in the names of outputs.
. "$(dirname "$0")/lib.sh"

picture one.ppm 4 3

# 1, 2, 10, also of folders; a list keeps its own order.
mkdir -p 'films/2' 'films/10'
for name in 1 2 10 img9 img010 img11; do cp one.ppm "films/$name.ppm"; done
cp one.ppm films/2/x.ppm
cp one.ppm films/10/x.ppm
gives 0 batch invert films -r -o 'out/{index}.ppm' --dry-run --jobs 1
sed 's/ .*//; s/^films.//' .out >order
check "the order" diff - order <<'END'
1.ppm
2/x.ppm
2.ppm
10/x.ppm
10.ppm
img9.ppm
img010.ppm
img11.ppm
END
printf 'films/10.ppm\nfilms/1.ppm\nfilms/2.ppm\n' >list
gives 0 batch invert --files-from list -o out/ --dry-run --jobs 1
sed 's/ .*//' .out >order
check "the list's own order" cmp -s list order

# Doubled braces are braces; where there are no fields, the name is that of a folder or file.
mkdir '{proj}'
gives 2 batch invert one.ppm -o '{proj}/'
says 'no field \{proj\}; there is \{stem\} .* \{\{ and \}\} are braces'
for output in '{{proj}}/' '{{proj}}'; do
    rm -f '{proj}'/*
    gives 0 batch invert one.ppm films -o "$output"
    check "$output" test -f '{proj}/one.ppm' -a -f '{proj}/10.ppm'
done
gives 0 batch invert one.ppm -o '{{new}}/{{{stem}}}.{ext}'
check "around a field" test -f '{new}/{one}.ppm'
gives 0 batch invert one.ppm -o '{{one.ppm'
check "a file" test -f '{one.ppm'
gives 2 batch invert one.ppm films/1.ppm -o '{{both}}.ppm'
says 'is one file and there are 2 inputs'
gives 0 batch invert one.ppm -o 'closing}}.ppm'
check "no opening one: as it is" test -f 'closing}}.ppm'
gives 0 batch invert one.ppm -o '{{kept}}/{stem}.png' --resume
gives 0 batch invert one.ppm -o '{{kept}}/{stem}.png' --resume

# No name leads out of the folders that -o says: neither as a field, nor behind DIR/, nor as an absolute path.
mkdir -p n/sub safe
for name in ...png ..png good.png n.; do cp one.ppm "n/$name"; done
cp one.ppm n/sub/deep.ppm
strays() { # strays -o NAME...: -o refuses these inputs, one by one, and nothing else; outputs stay below safe/
    local rule=$1
    shift
    rm -rf safe/a
    printf 'n/%s\0' "$@" good.png | "$glint" batch invert --files-from - -0 -o "$rule" >.out 2>.err
    status=$?
    last="glint batch invert --files-from - -0 -o '$rule' of $*"
    check "status $status, want 1" test $status -eq 1
    check "$# are refused" test "$(grep -c 'is empty, "." or "..", and leads elsewhere' .err)" -eq $#
    check "one picture, below the folder" test "$(find . -newer stamp -type f -name '*.png' | grep -c '^./safe/a/b/')" -eq 1
    check "and none elsewhere" test "$(find . -newer stamp -type f -name '*.p[np]*' | wc -l)" -eq 1
}
touch -d '-1 hour' n/* one.ppm films/*/* films/*.ppm
touch stamp
sleep 0.02
strays 'safe/a/b/out/{stem}/x.png' ...png ..png
strays 'safe/a/b/out/.{stem}/x.png' ..png
strays 'safe/a/b/..{ext}/x{stem}.png' n.
strays 'safe/a/b/' nowhere/.. nowhere/. nowhere/
gives 0 batch invert n -r -o 'safe/in/{dir}/{stem}.png' # what a folder holds is listed without hidden names
check "the folder's own {dir}" test -f safe/in/good.png -a -f safe/in/sub/deep.png
gives 3 batch invert n/n. -o '{ext}/tmp/x.png'
says 'n/n\.: its name, or a field of -o'

finish
