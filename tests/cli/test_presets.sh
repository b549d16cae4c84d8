#!/usr/bin/env bash
# Presets: every shipped one runs on pictures of every kind; the user's own; the lists' columns.
sources=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }
cpu=(--backend cpu)
picture in.ppm 48 32
for kind in spark.png ramp16.png; do # with alpha; of 16 bits
    gives 0 batch crop=40:30 "$sources/assets/$kind" -o $kind "${cpu[@]}"
done

gives 0 list presets
cp .out list
gives 0 list presets --json
cp .out presets.json
names=$(jq -r '.presets[].name' presets.json)
check "at least twenty are shipped" test "$(wc -w <<<"$names")" -ge 20
check "each says in a sentence what it is for" jq -e 'all(.presets[]; .help | test("^[A-Z].*\\.$"))' presets.json >/dev/null
check "none is of the user's" jq -e 'all(.presets[]; .own | not)' presets.json >/dev/null
check "the list has the same" test "$(grep -oE '^@[^ ]+' list | cut -c2-)" = "$names"
for name in $names; do
    gives 0 help "@$name"
    tells "^@$name \(preset of assets/presets/chains.txt\)$"
    gives 0 batch "@$name" in.ppm spark.png ramp16.png -o "out/$name/" "${cpu[@]}"
    refute "@$name changes the picture" cmp -s in.ppm "out/$name/in.ppm"
done
check "no two do the same" test "$(cat out/*/in.ppm | wc -c)" -gt 0 -a -z "$(md5sum out/*/in.ppm | cut -d' ' -f1 | sort | uniq -d)"

# The user's own.
mkdir -p .config/glint
echo 'mine: invert,@film   # My own.' >.config/glint/chains.txt
gives 0 list presets
tells '^@mine +My own\. \(your own\)$'
gives 0 batch 'sharpen=1,@mine' in.ppm -o mine.ppm "${cpu[@]}"
gives 0 batch "sharpen=1,invert,$(jq -r '.presets[] | select(.name == "film") | .chain' presets.json)" in.ppm -o same.ppm "${cpu[@]}"
check "a preset stands for its chain" cmp -s mine.ppm same.ppm
gives 0 batch @mine in.ppm -o 'out/{stem}-{chain}.ppm' "${cpu[@]}"
gives 0 trace spheres --size 32x24 --filter @mine -o traced.png "${cpu[@]}"
echo 'mine: gausian' >.config/glint/chains.txt
gives 2 batch invert,@mine in.ppm -o never.ppm "${cpu[@]}"
says "chain: column 8: @mine: $XDG_CONFIG_HOME/glint/chains.txt:1:7: no filter \"gausian\""
gives 2 help @nothing-of-the-kind
gives 0 help @mine
tells 'gausian'
echo 'what' >.config/glint/chains.txt
gives 2 list presets
says 'chains.txt:1: want NAME: CHAIN'
gives 0 batch invert in.ppm -o fine.ppm "${cpu[@]}"
finish
