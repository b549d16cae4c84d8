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
finish
