#!/usr/bin/env bash
# SIGINT: status 130, and every output that is there is whole.
. "$(dirname "$0")/lib.sh"
set -m # a background process of a script without job control ignores SIGINT
picture one.ppm 300 200
mkdir in
for i in $(seq 100 199); do cp one.ppm in/$i.ppm; done

interrupted() { # interrupted SIGNAL OPTIONS...: starts a long batch, sends the signal after the first output
    local signal=$1
    shift
    last="glint batch ... $* and SIG$signal"
    rm -rf out
    "$glint" batch gaussian=3:radius=8 in -o out/ --backend cpu --level reference "$@" >.out 2>.err </dev/null &
    local pid=$!
    for _ in $(seq 300); do
        [ -z "$(ls out 2>/dev/null)" ] || break
        sleep 0.1
    done
    kill -"$signal" $pid
    wait $pid
    status=$?
    check "status $status, want 130" test $status -eq 130
    says 'interrupted'
    check "it stopped before the end" test "$(ls out | wc -l)" -lt 100
    check "no temporary file is left" test -z "$(ls -A out | grep -v '^1[0-9][0-9]\.ppm$')"
    for file in out/*; do
        check "$file is whole" test "$(stat -c %s "$file")" -ge $((300 * 200 * 3))
    done
}
interrupted INT --jobs 2
interrupted INT --jobs 1 --json report.jsonl
json 'has("input") and .status == "done"' report.jsonl
interrupted TERM --jobs 2

# trace: light that is gathered so far is written, what draws is not, and of an orbit all frames are whole.
catches() { # catches PID: whether it has a handler for SIGINT now
    local mask
    mask=$(awk '/^SigCgt/ { print $2 }' /proc/$1/status 2>/dev/null)
    [ $((0x${mask:-0} & 2)) -ne 0 ]
}
begin() { # begin ARGUMENTS...: starts a trace, and returns once it is at work
    last="glint trace $* and a signal"
    "$glint" trace "$@" --backend cpu >.out 2>.err </dev/null &
    pid=$!
    for _ in $(seq 300); do
        ! catches $pid || break
        sleep 0.1
    done
}
stopped() { # stopped SIGNAL: sends it, waits
    kill -"$1" $pid
    wait $pid
    status=$?
    check "status $status, want 130" test $status -eq 130
}
for signal in INT TERM; do
    begin packed=30 --look paths --samples 1000000 --size 64x48 --filter gaussian -o light.ppm --json light.json --overwrite
    stopped $signal
    says '^glint: interrupted: [0-9]+ of 1000000 samples a pixel(, and [0-9]+ more in [0-9]+ % of the picture)? -> light.ppm$'
    json '(.complete | not) and .samples < 1000000' light.json
    lines 1 .err
    gives 0 batch '' light.ppm -o readable.ppm --overwrite
    check "something is to be seen" test "$(od -An -v -tu1 -w3 light.ppm | sort -u | wc -l)" -gt 100
done
begin cloud=300000 --level naive --size 400x300 -o drawn.ppm
kill -INT $pid
for _ in $(seq 100); do
    catches $pid || break
    sleep 0.1
done
stopped INT # the second one
check "which ends it at once" test ! -s .err
begin cloud=20000 --level naive --size 64x48 -o drawn.ppm
stopped INT
says '^glint: interrupted: nothing is written$'
check "and nothing is" test ! -e drawn.ppm
mkdir orbit
begin cloud=2000 --camera perspective --size 100x100 --orbit 100000 -o orbit/out.ppm
for _ in $(seq 300); do
    [ -z "$(ls orbit)" ] || break
    sleep 0.1
done
stopped INT
says '^glint: interrupted: [0-9]+ of 100000 frames are done$'
check "as many as it says" test "$(ls -A orbit | wc -l)" -eq "$(sed -n 's/.*interrupted: \([0-9]*\) of.*/\1/p' .err)"
check "six digits, none missing" test "$(ls orbit | head -n 1)" = out-000001.ppm
for file in orbit/*; do
    check "$file is whole" test "$(stat -c %s "$file")" -ge $((100 * 100 * 3))
done
finish
