#!/usr/bin/env bash
# SIGINT, SIGTERM and SIGHUP: status 130, every output that is there is whole, and no wait goes on.
. "$(dirname "$0")/lib.sh"
set -m # a background process of a script without job control ignores SIGINT

# launch ARGUMENTS...: glint in the background as $pid, from $input, to $output. The signals are those of a
# program that a shell starts, whatever the script was started with (nohup, say).
input=/dev/null output=.out
launch() {
    last="glint $*"
    env --default-signal=HUP,INT,TERM,PIPE "$glint" "$@" >"$output" 2>.err <"$input" &
    pid=$!
}
until_true() { # until_true COMMAND...: waits for it, two minutes at most, or for the end of $pid
    local end=$((SECONDS + 120))
    while ! "$@" && kill -0 $pid 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.02; done
}
has_files() { # has_files FOLDER
    [ -n "$(ls "$1" 2>/dev/null)" ]
}
listens() { # listens PID: whether it has its handler of SIGINT
    has_signal "$1" SigCgt 2
}
begin() { # begin ARGUMENTS...: launches, and returns once it is at work
    launch "$@"
    until_true at_work $pid
}
stopped() { # stopped SIGNAL...: sends them, waits; what does not end within two minutes is killed, and has failed
    last="$last, and $*"
    for signal in "$@"; do kill -"$signal" $pid; done
    (sleep 120 && kill -KILL $pid) 2>/dev/null &
    local watch=$!
    wait $pid
    status=$?
    kill -KILL -- -$watch 2>/dev/null
    wait $watch 2>/dev/null
    check "status $status, want 130" test $status -eq 130
}
picture one.ppm 600 400
mkdir in
for i in $(seq 100 199); do cp one.ppm in/$i.ppm; done
picture in/100.ppm 30 20 # soon done
slow=(gaussian=3:radius=5 --backend cpu --level reference)

interrupted() { # interrupted SIGNAL OPTIONS...: starts a long batch, sends the signal after the first output
    local signal=$1
    shift
    rm -rf out
    launch batch "${slow[@]}" in -o out/ "$@"
    until_true has_files out
    stopped "$signal"
    says 'interrupted'
    check "it stopped before the end" test "$(ls out | wc -l)" -lt 100
    check "no temporary file is left" test -z "$(ls -A out | grep -v '^1[0-9][0-9]\.ppm$')"
    for file in out/*; do
        check "$file is whole" test "$(stat -c %s "$file")" -eq "$(stat -c %s "in/${file#*/}")"
    done
}
# A filter that would go on for a minute is given up, since nobody would get its result.
picture large.ppm 3000 2300
begin batch nlmeans=search=21,nlmeans=search=21,nlmeans=search=21 large.ppm in/100.ppm -o long/ --backend cpu --jobs 1
sleep 0.5
stopped TERM
says '^glint: 0 of 2 done, 0 skipped, 0 failed, 2 left'
refute "nothing is left" test -e long/large.ppm
interrupted INT --jobs 2
interrupted INT --jobs 1 --json report.jsonl
json 'has("input") and .status == "done"' report.jsonl
interrupted TERM --jobs 2
interrupted HUP --jobs 2

# trace: light that is gathered so far is written, an unfinished drawing is not, and of an orbit all frames are whole.
for signal in INT TERM HUP; do
    begin trace packed=30 --backend cpu --look paths --samples 1000000 --size 64x48 --filter gaussian -o light.ppm --json light.json --overwrite
    stopped $signal
    says '^glint: interrupted: [0-9]+ of 1000000 samples a pixel(, and [0-9]+ more in [0-9]+ % of the picture)? -> light.ppm$'
    json '(.complete | not) and .samples < 1000000' light.json
    lines 1 .err
    gives 0 batch '' light.ppm -o readable.ppm --overwrite
    check "something is to be seen" test "$(od -An -v -tu1 -w3 light.ppm | sort -u | wc -l)" -gt 100
done
begin trace cloud=300000 --backend cpu --level naive --size 400x300 -o drawn.ppm
stopped INT TERM # the second one
check "which ends it at once" test ! -s .err
spheres=300000 # seconds, by one thread
[ -z "${GLINT_SANITIZED:-}" ] || spheres=30000
begin trace cloud=$spheres --backend cpu --level naive --size 64x48 -o drawn.ppm
stopped INT
says '^glint: interrupted: nothing is written$'
check "and nothing is" test ! -e drawn.ppm
begin trace cloud=$spheres --backend cpu --level naive --camera perspective --size 64x48 --orbit 9 --rate 25 -o film.png
stopped INT
says '^glint: interrupted: nothing is written$'
check "nor is a film in one file" test ! -e film.png
mkdir orbit
begin trace cloud=2000 --backend cpu --camera perspective --size 100x100 --orbit 10000 -o orbit/out.ppm
until_true has_files orbit
stopped INT
says '^glint: interrupted: [0-9]+ of 10000 frames are done$'
check "as many as it says" test "$(ls -A orbit | wc -l)" -eq "$(sed -n 's/.*interrupted: \([0-9]*\) of.*/\1/p' .err)"
check "five digits, none missing" test "$(ls orbit | head -n 1)" = out-00001.ppm
for file in orbit/*; do
    check "$file is whole" test "$(stat -c %s "$file")" -ge $((100 * 100 * 3))
done

# A wait ends: for a writer that never writes, for a stream that never ends, for a reader that never reads.
mkfifo fifo.ppm
begin batch invert fifo.ppm one.ppm -o waited/ --jobs 2
until_true test -e waited/one.ppm
stopped TERM
says '^glint: interrupted'
check "the picture next to it" test "$(ls -A waited)" = one.ppm
exec 9<>fifo.ppm # a writer that says nothing
for signal in INT HUP; do
    input=fifo.ppm
    begin batch invert - -o waited.ppm
    stopped $signal
    check "no picture of nothing" test ! -e waited.ppm
done
input=/dev/null
launch batch invert --files-from fifo.ppm -o listed/
until_true listens $pid
stopped TERM
mkfifo unread
exec 8<>unread # a reader that does not read
output=unread
picture noise.ppm 700 700 # more than a pipe holds
begin batch invert noise.ppm -o - --format ppm
sleep 0.2
stopped TERM
output=.out
mkfifo full
exec 7<>full
head -c 65536 /dev/zero >&7 # all that it holds: each line of the report would wait
begin batch invert in -o unreported/ --json full
until_true has_files unreported
sleep 0.5
stopped TERM
exec 7>&- 8>&- 9>&-

# Before there is work to leave in order, a signal ends at once, with the same status.
launch batch invert --files-from fifo.ppm -o listed/
until_true listens $pid
stopped HUP

# A signal that nohup ignores stays ignored.
last='glint under nohup'
(trap '' HUP; exec "$glint" batch "${slow[@]}" in/10[0-6].ppm -o nohup/ >.out 2>.err) &
pid=$!
until_true at_work $pid
kill -HUP $pid
wait $pid
check "it works on, status $?" test "$(ls nohup | wc -l)" -eq 7

# A report that nobody reads does not stop the pictures.
last='glint batch --json - into a pipe without a reader'
mkfifo left
exec 9<>left 8>left 9>&-
env --default-signal=PIPE "$glint" batch invert in -o reported/ --json - 2>.err >&8
check "status $?, want 4" test $? -eq 4
exec 8>&-
says '^glint: .*cannot be written'
check "every picture is there" test "$(ls reported | wc -l)" -eq 100
finish
