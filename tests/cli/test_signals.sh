#!/usr/bin/env bash
# Signals come at any moment, over batch and trace, with outputs to be made and to be replaced. Each output is whole, as
# before, or not there. Inputs are as they were. The next run removes the files that a killed process leaves.
. "$(dirname "$0")/lib.sh"
set -m # a background process of a script without job control ignores SIGINT
shopt -s nullglob
RANDOM=1
mkdir in
for i in $(seq 10 29); do picture in/$i.ppm 120 80 "$i"; done
printf 'glint-scene 2\nsphere 0 0 0 1 .5 .5 .5\n' >my.scene
sha256sum in/* my.scene >before
cpu=(--backend cpu --quiet)
batch=(batch gaussian=2 in -o out/ --json report.json --profile profile.json --jobs 2 --overwrite)
trace=(trace my.scene --size 160x120 --look paths --samples 8 -o out/light.ppm --json report.json --profile profile.json --overwrite)
mkdir new old
"$glint" batch gaussian=2 in -o new/ "${cpu[@]}" || exit 1
"$glint" batch invert in -o old/ "${cpu[@]}" || exit 1
"$glint" trace my.scene --size 160x120 -o old/light.ppm "${cpu[@]}" || exit 1
size=$(stat -c %s old/light.ppm) # light that was gathered until the signal came is whole, but not always the same

whole_report() { # whole_report FILE: not there, or begins and ends as reports do
    [ -e "$1" ] || return 0
    local text
    text=$(<"$1")
    [[ $text == '{"glint"'*'}' ]]
}

# interrupt SIGNAL COMMAND: once, after a random time.
interrupt() {
    local signal=$1 file
    local -n arguments=$2
    last="glint ${arguments[*]} and SIG$signal"
    rm -rf report.json profile.json
    "$glint" "${arguments[@]}" "${cpu[@]}" >.out 2>.err </dev/null &
    local pid=$!
    sleep 0.0$((RANDOM % 90 + 10))
    kill -"$signal" $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    case $signal in
    KILL) check "status $status, want 137, or 0 before it" test $status -eq 137 -o $status -eq 0 ;;
    *) check "status $status, want 130, or 0 before it" test $status -ge 128 -o $status -eq 0 ;;
    esac
    checks=$((checks + 1))
    for file in out/*.ppm; do
        case $file in
        out/light.ppm) [ "$(stat -c %s $file)" -eq "$size" ] || complain "$file is torn" ;;
        *) cmp -s "$file" "old/${file#out/}" || cmp -s "$file" "new/${file#out/}" || complain "$file is torn" ;;
        esac
    done
    whole_report report.json || complain "the report is torn"
    whole_report profile.json || complain "the trace is torn"
    sha256sum --quiet -c before || complain "the inputs are not as they were"
    local left=(.glint-* out/.glint-*)
    [ $signal = KILL ] || [ ${#left[@]} -eq 0 ] || complain "something unfinished is left"
}
for signal in TERM INT HUP KILL; do
    for command in batch trace; do
        for existing in no no yes yes; do
            rm -rf out
            mkdir out
            [ $existing = no ] || cp old/* out/
            interrupt $signal $command
        done
    done
    gives 0 batch gaussian=2 in -o out/ --overwrite "${cpu[@]}"
    gives 0 trace spheres=count=3 --size 8x8 -o here.ppm --overwrite "${cpu[@]}"
    left=(.glint-* out/.glint-*)
    check "the next run removes what the killed left: ${left[*]}" test ${#left[@]} -eq 0
done
finish
