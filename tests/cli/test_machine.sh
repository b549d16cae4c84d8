#!/usr/bin/env bash
# bench machine: this machine's costs, as text, JSON and pictures; and occupancy, for which no GPU is needed. How large
# a figure is, is the machine's business.
. "$(dirname "$0")/lib.sh"

few=(--backend cpu --experiment stride,lanes)
gives 0 bench machine "${few[@]}" --json report.json
tells '^stride: Stride between loads$'
tells '^lanes: Lanes of a vector$'
refute "only what was asked for" grep -q '^latency:' .out
check "what was found, and what to do about it" test "$(grep -cE '^    (found|advice): +[^ ]' .out)" -eq 4
json '.glint == "bench" and (.context | has("date")) and (.machine | map(.experiment) == ["stride", "lanes"])' report.json
json '.machine | all(.[]; .backend == "cpu" and (.advice | length > 20) and (.found | length > 10) and
    (.x | has("what") and has("unit")) and (.y | has("what") and has("unit")) and (.series | length >= 1) and
    all(.series[]; (.name | length > 0) and all(.points[]; length == 2 and .[0] > 0 and .[1] > 0)))' report.json
json '.machine[0].series | all(.[]; .points | map(.[0]) == [1, 2, 4, 8, 16, 32])' report.json
gives 0 bench machine "${few[@]}" --json -
json '.machine | length == 2' .out
gives 0 bench machine --backend cpu --threads 1 --experiment atomics --json report.json # what takes two threads is left out
json '.machine[0].series | (.[0].points | length > 0) and (.[1].points | length == 0)' report.json

gives 0 bench machine --occupancy 40,0,512
lines 9 .out
tells '^ *9\.0 +3 +48 +75% .* registers$'
tells '^ *8\.6 +3 +48 +100% '
gives 0 bench machine --occupancy 32,49152,256,9.0 --json -
json '.machine == [{"compute_capability": "9.0", "blocks": 4, "warps": 32, "occupancy": 0.5, "limit": "shared memory"}]' .out
gives 0 bench machine --occupancy 32,102400,256 # not all have so much
lines 5 .out

gives 2 bench machine --backend cpu --experiment stride,banana
says '^glint: bench: cpu has no experiment "banana"; want stride, latency'
for text in 40 40,0 40,0,512, 40,0,512,9 a,b,c 40,-1,512 40,0,512,9.0x; do
    gives 2 bench machine --occupancy "$text"
    says '^glint: --occupancy is ".*", want REGISTERS,SHARED,BLOCK'
    check "nothing was told" test ! -s .out
done
gives 2 bench machine --occupancy 40,0,512,1.0
says 'compute capability 1\.0 is not in the table'
gives 2 bench machine --occupancy 40,0,2000
says 'a block of 2000 threads: want 1 to 1024$'
gives 2 bench machine --occupancy 300,0,256
says '300 registers a thread'
gives 2 bench machine --occupancy 40,0,512 --experiment stride
gives 2 bench machine --check-best
gives 2 bench convolve --experiment stride
says 'glint bench machine'
gives 2 bench convolve --occupancy 40,0,512

PATH=/nonexistent run bench machine "${few[@]}" --plot none.svg
check "status $status, want 4" test $status -eq 4
says '^glint: --plot none.svg: gnuplot is not on the PATH'
check "nothing was measured" test ! -s .out
if command -v gnuplot >/dev/null; then
    gives 0 bench machine "${few[@]}" --plot curves.svg
    check "a plot a curve" test "$(grep -c 'Stride between loads\|Lanes of a vector' curves.svg)" -ge 2
fi

# A signal ends it.
"$glint" bench machine --backend cpu >ended.txt 2>.err &
pid=$!
until [ -s ended.txt ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -TERM $pid
wait $pid
status=$?
check "status $status, want 130" test $status -eq 130
gives 0 list experiments
tells '^cpu +latency +Latency by working set$'
gives 0 help latency
tells '^latency \(experiment on cpu: Latency by working set\)$'
finish
