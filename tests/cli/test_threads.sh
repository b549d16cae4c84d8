#!/usr/bin/env bash
# Many files at a time: several workers give the results of one. ThreadSanitizer watches this script (`ctest --preset
# tsan`). Jobs compute with one thread each; further runs give each a team of three.
. "$(dirname "$0")/lib.sh"
export TSAN_OPTIONS=exitcode=99:halt_on_error=0
mkdir in
for i in $(seq 10 49); do picture in/$i.ppm $((40 + i % 3)) 30 "$i"; done
head -c 100 in/20.ppm >in/broken.ppm
echo nothing >in/text.png
mkfifo in/fifo.png
"$glint" batch gaussian=2,sharpen in/[1-4][0-9].ppm -o alone/ --backend cpu --threads 1 --jobs 1 --quiet || exit 1

watched() { # watched STATUS ARGUMENTS...: eight workers, with all that they report to
    local want=$1
    shift
    gives "$want" batch "$@" --backend cpu --threads "${threads:-1}" --jobs 8 --json report.jsonl --profile trace.json --verbose
    refute "no data race" grep -q ThreadSanitizer .err
    rm -f report.jsonl trace.json
}
for round in 1 2 3; do
    watched 1 gaussian=2,sharpen in -o "out-$round/"
    for file in alone/*; do check "$file is the same among others" cmp -s "$file" "out-$round/${file#*/}"; done
done
threads=3 watched 1 gaussian=2,sharpen in -o teams/
for file in alone/*; do check "$file is the same by teams" cmp -s "$file" "teams/${file#*/}"; done
threads=3 watched 0 canny,median=2,clahe,resize=scale=0.5,gamma=2 in/[1-4][0-9].ppm -o more-teams/
watched 0 gaussian=2,sharpen in/[1-4][0-9].ppm -o out-1/ --skip-existing
watched 0 invert in/[1-4][0-9].ppm -o dry/ --dry-run
watched 1 'sobel,box=5' in -o mixed/ --linear --border mirror
watched 1 invert in/[1-4][0-9].ppm in/broken.ppm -o 'formats/{stem}.png'
watched 1 invert in/broken.ppm in/[1-4][0-9].ppm -o fast/ --fail-fast
watched 1 gaussian=2,sharpen in -o resumed/ --resume
watched 1 gaussian=2,sharpen in -o resumed/ --resume
if [ -e "$(dirname "$glint")/glint-archive.so" ]; then
    watched 1 gaussian=2,sharpen in -o packed.tar --resume
    watched 1 gaussian=2,sharpen in -o packed.tar --resume
    watched 0 invert packed.tar -o 'archives/{stem}.zip'
fi
for i in $(seq 30); do cat in/10.ppm; done >frames.ppm
watched 0 gaussian=2 frames.ppm -o film.y4m
head -c 3000 film.y4m >torn.y4m
rm film.y4m
watched 3 gaussian=2 torn.y4m -o film.y4m

# A signal while all of them are at work.
last='glint batch and SIGTERM'
for delay in 0 0.02 0.05 0.1; do
    rm -rf stopped
    env --default-signal=TERM "$glint" batch gaussian=6 in/[1-4][0-9].ppm -o stopped/ --backend cpu --level reference --threads 1 \
        --jobs 8 >.out 2>.err </dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! at_work $pid; do sleep 0.01; done
    sleep $delay
    kill -TERM $pid 2>/dev/null
    wait $pid
    status=$?
    check "status $status, want 130, or 0 if it was done" test $status -eq 130 -o $status -eq 0
    refute "no data race" grep -q ThreadSanitizer .err
done
finish
