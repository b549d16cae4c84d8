#!/usr/bin/env bash
# Killed at random moments: files that are there are whole, old or new, and the same command ends the work.
# GLINT_KILLS=1000 tries that often (60 without it, 16 for a change).
. "$(dirname "$0")/lib.sh"
shopt -s nullglob
kills=${GLINT_KILLS:-60}
[ -z "${GLINT_SANITIZED:-}${GLINT_TEST_QUICK:-}" ] || kills=16
RANDOM=${GLINT_SEED:-11}
quiet=(--backend cpu --quiet)
mkdir in
for i in $(seq 10 29); do picture in/$i.ppm 60 40 "$i"; done
for i in $(seq 10 29); do cat in/$i.ppm; done >frames.ppm

resumed=(batch gaussian=2 in -o resumed/ --resume --jobs 2)
replaced=(batch gaussian=2 in -o replaced/ --overwrite --json replaced.jsonl)
film=(batch gaussian=2 frames.ppm -o film.y4m --overwrite)
traced=(trace packed --look paths --samples 2 --size 60x40 -o traced.png --overwrite --json traced.json)
kinds=(resumed replaced film traced)
declare -A longest
for kind in "${kinds[@]}"; do
    declare -n arguments=$kind
    begin=${EPOCHREALTIME/./}
    "$glint" "${arguments[@]}" "${quiet[@]}" || complain "$kind"
    longest[$kind]=$((${EPOCHREALTIME/./} - begin)) # microseconds
done
mkdir new old
cp -r resumed replaced film.y4m traced.png new
rm -rf resumed
cp -r replaced film.y4m traced.png old
for file in old/*/*.ppm old/*.*; do echo old >>"$file"; done

# whole FILE: it is as the program writes it, or as it was before.
whole() { cmp -s "$1" "new/$1" || cmp -s "$1" "old/$1"; }
report() { [ ! -s "$1" ] || jq -es 'length > 0' "$1" >.jq 2>&1; }
hits=0
for ((turn = 0; turn < kills || (4 * hits < kills && turn < 4 * kills); turn++)); do
    kind=${kinds[turn % ${#kinds[@]}]}
    declare -n arguments=$kind
    case $kind in
    resumed) [ $((turn % 40)) -ne 0 ] || rm -rf resumed ;; # it goes on where it was
    *) cp -r old/$kind* . 2>/dev/null ;;
    esac
    "$glint" "${arguments[@]}" "${quiet[@]}" >.out 2>.err </dev/null &
    pid=$!
    sleep "$(printf '0.%06d' $(((RANDOM * 32768 + RANDOM) % (longest[$kind] + 1000) % 1000000)))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    # a point that was done before is killed sooner from now on: the machine may have been busier when it was measured
    [ $? -eq 137 ] && hits=$((hits + 1)) || longest[$kind]=$((longest[$kind] / 2))
    last="kill $turn of $kills: glint ${arguments[*]}"
    for file in resumed/*.ppm replaced/*.ppm film.y4m traced.png; do
        checks=$((checks + 1))
        whole "$file" || complain "$file is torn"
    done
    for file in replaced.jsonl traced.json; do report "$file" || complain "$file is torn"; done
done
check "many of them hit: $hits of $kills" test $((4 * hits)) -ge "$kills"
for kind in "${kinds[@]}"; do
    declare -n arguments=$kind
    gives 0 "${arguments[@]}" "${quiet[@]}"
done
check "in the end all is new" diff -r -x '.glint-journal' new/resumed resumed
check "and nothing else is there" diff -r new/replaced replaced
check "the film" cmp new/film.y4m film.y4m
check "the picture" cmp new/traced.png traced.png
check "nothing unfinished is left" test -z "$(find . -name '.glint-*.tmp')"
finish
