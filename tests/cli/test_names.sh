#!/usr/bin/env bash
# Names are any bytes: every line of a report is JSON all the same, and on a terminal no name's control characters act.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
latin=$'b\xe4r.ppm' escape=$'a\e[31m\e]0;title\ab\n.ppm' half=$'\xe2\x82.ppm' quoted=$'"q\\".ppm' c1=$'\xc2\x9b31m.ppm'
names=("$latin" "$escape" "$half" "$quoted" "$c1")
mkdir in
for name in "${names[@]}"; do picture "in/$name" 8 6; done
echo broken >"in/$half"
echo broken >"in/$escape"
long=$(printf '\xe2\x82\xac%.0s' $(seq 80)).ppm # 244 bytes; two of them in one message do not fit

# Reports.
gives 1 batch invert in -o out/ "${cpu[@]}" --json report.jsonl --profile profile.json
lines 6 report.jsonl
json 'has("input") and has("output") and has("status")' report.jsonl
check "names that differ stay different" test "$(jq -r .input report.jsonl | sort -u | grep -c ^in)" -eq 5
check "what is UTF-8 is as it is" jq -es --arg n "in/$escape" 'any(.[]; .input == $n)' report.jsonl >/dev/null
check "what is not is escaped" jq -es 'any(.[]; .input == "in/b\\xe4r.ppm")' report.jsonl >/dev/null
check "the trace is JSON, too" jq -e .glint profile.json >/dev/null
mkdir "${long%.ppm}" "${long%.ppm}/${long%.ppm}"
deep="${long%.ppm}/${long%.ppm}/$long"
echo broken >"$deep"
gives 3 batch invert "$deep" "$deep.missing" -o cut/ "${cpu[@]}" --json cut.jsonl
lines 3 cut.jsonl
json '.error | length > 10' cut.jsonl
cp in/"$quoted" sky.ppm
printf 'glint-scene 2\nsphere 0 0 0 1 .5 .5 .5\n' >"$latin.scene"
gives 0 trace "$latin.scene" --size 8x6 -o "$latin" "${cpu[@]}" --json trace.json
json '.scene == "b\\xe4r.ppm.scene" and .output == "b\\xe4r.ppm"' trace.json
printf '0 1 0\n1 -4 1\n0 1 0\n' >"$latin.mask"
gives 0 bench convolve --filter "convolve=file=$latin.mask" --size 16x16 --runs 1 "${cpu[@]}" --json bench.json
check "bench" jq -e '.benchmarks | length > 0 and all(.[]; .label | test("\\\\xe4"))' bench.json >/dev/null

# A terminal.
command -v script >/dev/null || finish
printable() { # printable ARGUMENTS...: what glint says of the names, on a terminal, has no control characters of theirs
    on_terminal "$@"
    checks=$((checks + 1))
    sed -z -e 's/\r\x1b\[K\(\[[^\r]*\)\?//g' -e 's/\r\n/\n/g' .tty >.plain # but for the progress bar
    ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' .plain || complain "control characters"
    refute "nor bytes that are no text" grep -qav '^.*$' .plain
    check "the name can be read" grep -qF 'a\x1b[31m' .plain
}
printable batch invert in -o fresh/ "${cpu[@]}"
printable batch invert in -o again/ "${cpu[@]}" -v
printable batch invert in -o again/ "${cpu[@]}" -v --skip-existing
printable batch invert in -o dry/ "${cpu[@]}" --dry-run
printable batch invert "in/$escape" -o "in/$escape" "${cpu[@]}"
printable trace "$escape" -o x.png
printable trace spheres "$escape" -o x.png
printable trace spheres --look "$escape" -o x.png
printable batch "$escape" in -o dry/
printable bench convolve --filter "convolve=file=$escape"
printable bench "$escape"
cp "$latin.mask" "$escape.mask"
printable bench convolve --filter "convolve=file='$escape.mask'" --size 16x16 --runs 1 "${cpu[@]}"
gives 1 batch invert in -o raw/ "${cpu[@]}" -v # what is no terminal gets the names as they are
check "raw in a file" grep -qa "$latin" .err
finish
