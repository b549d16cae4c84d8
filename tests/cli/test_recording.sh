#!/usr/bin/env bash
# --profile: how long each step took, in the Trace Event Format, whole or not at all.
. "$(dirname "$0")/lib.sh"

# events FILTER FILE: a property of the complete events, as jq says it.
events() { jq -e "[.traceEvents[] | select(.ph == \"X\")] | $1" "$2" >/dev/null; }

# whole FILE: every event has its place and its time, every lane a name, and on no lane do two events overlap.
whole() {
    check "$1: events with name, place and time" events 'length > 0 and all(.[]; (.name | length > 0) and .pid == 1 and
        (.tid | type == "number") and .ts > 0 and .dur >= 0)' "$1"
    check "$1: every lane has a name" jq -e '([.traceEvents[] | select(.ph == "X") | .tid] | unique) -
        [.traceEvents[] | select(.name == "thread_name") | .tid] == []' "$1" >/dev/null
    check "$1: one thing at a time on a lane" events 'group_by(.tid) | all(.[]; sort_by(.ts) | . as $e |
        all(range(1; length); $e[. - 1].ts + $e[. - 1].dur <= $e[.].ts + 20))' "$1"
}

cpu=(--backend cpu --quiet)
gives 0 trace spheres=count=5 --size 64x48 "${cpu[@]}" -o a.png --profile scene.json
whole scene.json
check "what was traced, by which level" events 'any(.[]; .name == "trace" and (.args.how | test("level .* on cpu")))' scene.json
check "download and encode follow" events '([.[].name] | index("trace", "download", "encode")) != null' scene.json

cp a.png b.png
mkdir out
gives 0 batch gaussian=2,sharpen a.png b.png -o out/ "${cpu[@]}" --jobs 2 --profile batch.json
whole batch.json
for name in decode gaussian sharpen encode; do
    check "batch: $name, twice" events "[.[] | select(.name == \"$name\")] | length >= 2" batch.json
done

gives 0 bench convolve --size 96x64 --runs 2 "${cpu[@]}" --profile bench.json
whole bench.json
check "bench: runs of a level" events '[.[].name] | index("simd")' bench.json

echo broken >c.png
gives 1 batch gaussian=2 a.png c.png -o out/ --overwrite "${cpu[@]}" --profile partial.json
whole partial.json

for path in no-such-folder/t.json .; do
    gives 4 trace spheres --size 8x8 "${cpu[@]}" -o d.png --profile $path
    refute "$path: told before any work is done" test -e d.png
done
cp a.png input.png
gives 2 batch invert input.png -o e.png "${cpu[@]}" --profile input.png
check "an input is never written to" cmp -s a.png input.png
refute "nor is work done" test -e e.png
gives 0 batch invert input.png -o e.png "${cpu[@]}" --profile batch.json
whole batch.json
rm scene.json
gives 0 trace spheres=count=5 --size 64x48 "${cpu[@]}" -o f.png --trace scene.json
whole scene.json # the option's first name is still accepted, and not advertised
gives 0 trace --help
check "the help names it" grep -q -e '--profile=FILE' .out
refute "one name in the help" grep -q -e '--trace' .out
check "nothing is left next to them" test "$(find . -name '.glint-*' | wc -l)" -eq 0

finish
