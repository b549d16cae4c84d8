# test_log.sh: glint view --log: a line of CSV for every frame, whole or not at all.
source "$(dirname "$0")/lib.sh"
picture one.ppm 97 61 1
display -screen 0 640x480x24

# logged STATUS LINE...: a script that is logged in log.csv.
logged() {
    local want=$1
    shift
    printf '%s\n' "$@" >script.txt
    gives "$want" view --quiet --log log.csv --script script.txt
}
# field NAME: its values, a line a frame; empty ones as they are. No field of these has a comma but `chain` and `device`,
# which are quoted.
field() {
    python3 -c 'import csv, sys
for row in csv.DictReader(open("log.csv", newline="")): print(row[sys.argv[1]])' "$1"
}
# all NAME CONDITION: holds for each value x, as Python sees it.
all() {
    checks=$((checks + 1))
    python3 -c 'import csv, sys
name, condition = sys.argv[1:]
rows = [row[name] for row in csv.DictReader(open("log.csv", newline=""))]
sys.exit(not rows or not all(eval(condition) for x in rows))' "$1" "$2" || complain "$1: not all are $2"
}

logged 0 'size 640x480' 'open one.ppm' 'filter gaussian=2,sharpen' 'frames 20' 'drag sigma 20 60 10' quit
[ "$(head -n 1 log.csv)" = "frame,time_ms,input_ms,own_ms,interval_ms,file,chain,device,level,ahead,runs,run_ms,stages_ms,decode_ms,upload_ms,\
move_ms,gravity_ms,download_ms,map_ms,write_ms,unmap_ms,update_ms,present_ms,draw_ms,overlay_ms,swap_ms,watts,joules,warm_up,\
pace_changed,saved_ms" ] || complain "the header is $(head -n 1 log.csv)"
frames=$(($(wc -l <log.csv) - 1))
check "a line a frame" [ "$frames" -ge 30 ]
checks=$((checks + 1))
[ "$(field frame)" = "$(seq "$frames")" ] || complain "frames are not counted from 1"
all time_ms 'float(x) > 0'
all interval_ms 'x == "" or float(x) > 0'
all run_ms 'x == "" or float(x) > 0'
all runs 'int(x) >= 0'
all swap_ms 'x == "" or float(x) >= 0'
check "events were answered" [ "$(field input_ms | grep -c .)" -ge 10 ]
checks=$((checks + 1))
paste -d, <(field input_ms) <(field own_ms) | awk -F, '$1 == "" ? $2 != "" : !($2 > 0 && $2 <= $1) { exit 1 }' ||
    complain "what of a time is our own is no part of it"
check "runs have their stages" grep -q '^gaussian [0-9.]*; sharpen [0-9.]*$' <(field stages_ms)
check "the first run is a warm-up" [ "$(field warm_up | grep -m 1 .)" = 1 ]
check "a picture is decoded once" [ "$(field decode_ms | grep -c .)" = 1 ]
check "and uploaded once" [ "$(field upload_ms | grep -c .)" = 1 ]
check "the chain is quoted" grep -qx 'gaussian,sharpen' <(field chain)
check "frames lie in order" sort -cn <(field time_ms)

# A log replaces an earlier log, and nothing else; a request that makes no sense leaves an existing file alone.
before=$(wc -l <log.csv)
logged 0 'open one.ppm' 'frames 1' quit
check "an earlier log is replaced" [ "$(wc -l <log.csv)" -lt "$before" ]
cp log.csv kept.csv
logged 2 'open one.ppm' 'dance'
same log.csv kept.csv
logged 3 'open missing.png'
check "what was shown until an error is kept" [ "$(head -c 6 log.csv)" = frame, ]
printf 'mine\n' >log.csv
logged 2 'frames 1' quit
says '^glint: log.csv: holds something else'
check "another file is left alone" [ "$(cat log.csv)" = mine ]
printf '%s\n' 'open one.ppm' 'frames 1' quit >script.txt
gives 2 view --quiet --log one.ppm --script script.txt one.ppm
gives 4 view --quiet --log missing/log.csv --script script.txt one.ppm
gives 0 view --quiet --log - --script script.txt one.ppm
tells '^frame,time_ms,'

# Times from input to swap are counted until they are forgotten.
script 0 'open one.ppm' 'filter gaussian=2' 'frames 3' 'drag sigma 20 60 10' 'timings counted.json' 'forget-latency' \
    'timings forgotten.json' quit
jq -c .input_to_swap counted.json >counted.line
jq -c .input_to_swap forgotten.json >forgotten.line
json '.count >= 10 and .median_ms > 0 and .median_ms <= .p95_ms and .p95_ms <= .p99_ms and .p99_ms <= .worst_ms' counted.line
json '.count == 0 and .worst_ms == 0' forgotten.line

# A window that is killed leaves no half of one.
rm -f log.csv
printf '%s\n' 'open one.ppm' 'wait 60' >script.txt
"$glint" view --quiet --log log.csv --script script.txt one.ppm 2>.err &
viewer=$!
sleep 2
pkill -KILL -P "$viewer" 2>/dev/null
wait "$viewer" 2>/dev/null
viewer=
check "no log after SIGKILL" [ ! -e log.csv ]
finish
