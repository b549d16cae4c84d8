#!/usr/bin/env bash
# Bad files do not stop good ones; every failure is one line with its reason; nothing half done stays.
. "$(dirname "$0")/lib.sh"
mkdir mixed
for i in 0 1 2 3 4 5 6 7 8 9; do picture "mixed/good$i.ppm" 20 15 "$i"; done
"$glint" batch '' mixed/good0.ppm -o whole.png --quiet || exit 1
head -c $(($(stat -c %s whole.png) * 2 / 3)) whole.png >mixed/truncated.png
head -c 500 mixed/good1.ppm >mixed/truncated.ppm
echo "this is no photograph" >mixed/text.jpg
good=(good{0,1,2,3,4,5,6,7,8,9}.ppm)

# Ten good and three broken: status 1, ten outputs, three reasons, no fourth file.
gives 1 batch gaussian=1 mixed -o out/
holds out "${good[@]}"
for name in truncated.png truncated.ppm text.jpg; do
    says "mixed/$name: [^ ]"
    check "one line for $name" test "$(grep -c "mixed/$name" .err)" -eq 1
done
check "stdout stays empty" test ! -s .out
gives 0 batch invert out -o decodable/ # the outputs are whole
holds decodable "${good[@]}"
for name in "${good[@]}"; do
    "$glint" batch gaussian=1 "mixed/$name" -o - --quiet >alone.ppm
    check "$name is what it is alone" cmp -s alone.ppm "out/$name"
done
gives 1 batch gaussian=1 mixed -o quiet/ --quiet
lines 3 .err
gives 1 batch gaussian=1 mixed -o out/ --skip-existing
holds out "${good[@]}"

# Fail fast stops, and files that are there are whole.
gives 1 batch gaussian=1 mixed/good0.ppm mixed/text.jpg mixed/good1.ppm mixed/good2.ppm -o fast/ --fail-fast --jobs 1
holds fast good0.ppm

# No usable input: status 3.
gives 3 batch invert mixed/text.jpg mixed/truncated.png mixed/truncated.ppm -o none/
check "no file is made" test -z "$(ls -A none 2>/dev/null)"
gives 3 batch invert mixed/text.jpg -o none/
gives 3 batch invert no-such-file.png -o none/
says 'no-such-file.png: '
gives 3 batch invert /dev/null -o none.png
gives 1 batch invert no-such-file.png mixed/good0.ppm -o some/
holds some good0.ppm
GLINT_MEMORY=500 run batch invert mixed/good0.ppm -o budget.ppm
check "over the memory budget: status $status, want 3" test $status -eq 3
says 'GLINT_MEMORY'

# An output that its format cannot hold fails that file alone, and the sentence says which formats can.
printf 'PF\n1 1\n-1.0\n\0\0\0\0\0\0\0\0\0\0\0\0' >float.pfm
gives 1 batch '' mixed/good0.ppm float.pfm -o 'formats/{stem}.png'
holds formats good0.png
says 'float.png: .*f32'

# With --damaged keep, a file that ends early gives the rows that are there, and stderr says how many; the rest is gray.
printf 'P6\n2 4\n255\nabcdefABCDEFgh' >cut.ppm
gives 3 batch '' cut.ppm -o cut.pgm
gives 3 batch '' cut.ppm -o cut.pgm --damaged refuse
gives 0 batch '' cut.ppm -o kept.ppm --damaged keep
says '^glint: cut.ppm ends early: 2 of 4 rows are there$'
{ printf 'P6\n2 4\n255\nabcdefABCDEF'; printf '\200%.0s' {1..12}; } >want.ppm
check "two rows and gray" cmp -s kept.ppm want.ppm
gives 0 batch '' cut.ppm -o boxed.ppm --damaged keep --sandbox --quiet --json boxed.json
check "the same in a sandbox" cmp -s boxed.ppm want.ppm
check "--quiet says nothing" test ! -s .err
json '.damaged == "ends early: 2 of 4 rows are there"' boxed.json
gives 1 batch '' mixed -o kept/ --damaged keep # the text is still no picture
holds kept "${good[@]}" truncated.png truncated.ppm
says '^glint: mixed/truncated.png ends early: [0-9]+ of 15 rows are there$'
picture tall.ppm 20 90
gives 0 batch '' tall.ppm -o whole.jpg
head -c $(($(stat -c %s whole.jpg) - 20)) whole.jpg >cut.jpg
gives 3 batch '' cut.jpg -o cut.png
gives 0 batch '' cut.jpg -o cut.png --damaged keep
says '^glint: cut.jpg ends early: [0-9]+ of 90 rows are there$'
gives 2 batch '' cut.jpg -o cut.png --damaged show

# The environment fails: status 4, and no half of a file.
picture large.ppm 200 200
last="batch with room for 64 KiB a file"
(trap '' XFSZ; ulimit -f 64; exec "$glint" batch invert large.ppm -o full.ppm >.out 2>.err </dev/null)
check "a full disk is status 4" test $? -eq 4
says 'full.ppm'
check "nothing is left" test ! -e full.ppm
check "no temporary file is left" test -z "$(find . -name '*full*' -o -name '.glint*' -o -name '*.tmp*')"
gives 4 batch invert mixed/good0.ppm -o mixed/good1.ppm/out.png
says 'good1.ppm'
mkdir a-folder.png
run batch invert mixed/good0.ppm -o a-folder.png/../a-folder.png --overwrite
check "a folder is never replaced" test -d a-folder.png
gives 0 batch invert mixed/good0.ppm -o - --quiet
last='batch into a full stdout'
"$glint" batch invert mixed/good0.ppm -o - --quiet >/dev/full 2>.err
check "a full stdout is status 4" test $? -eq 4
finish
