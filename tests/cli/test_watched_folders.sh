#!/usr/bin/env bash
# --watch: files that come into folders are filtered once each, whole, also over restarts.
tests=$(realpath "$(dirname "$0")")
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
cpu=(--backend cpu --threads 1)

# begin REPORT ARGUMENTS...: glint batch ARGUMENTS in the background, once it watches; its --json is REPORT.
begin() {
    local report=$1
    shift
    last="glint batch $*"
    : >.err
    "$glint" batch "$@" --json - >"$report" 2>.err </dev/null &
    pid=$!
    patiently grep -qs 'watching' .err || complain "it does not watch"
}

# end SIGNAL STATUS: ends that, and checks its status.
end() {
    kill -"$1" "$pid"
    wait "$pid"
    status=$?
    checks=$((checks + 1))
    [ "$status" -eq "$2" ] || complain "exit status $status, want $2"
}

there() { [ "$(ls "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }
failed() { grep -qE "$1" .err; }
skipped() { [ "$(grep -c '"skipped"' "$2")" -eq "$1" ]; }

# A thousand files: renamed into place, copied, written in pieces, linked; glint is killed in between, and started again.
mkdir in
python3 "$tests/drop_files.py" in 1000 &
dropper=$!
begin one.jsonl invert in -o out/ --watch "${cpu[@]}" --jobs 2
patiently there out 200
kill -KILL "$pid"
wait "$pid" 2>/dev/null
begin two.jsonl invert in -o out/ --watch "${cpu[@]}" --jobs 2
patiently there out 500
end TERM 0
says '0 failed'
begin three.jsonl invert in -o out/ --watch "${cpu[@]}" --jobs 2
wait "$dropper"
patiently there out 1000
end TERM 0
says '0 failed'
"$glint" batch invert in -o want/ --quiet "${cpu[@]}" || exit 1
check "every file is there, whole" diff -r --exclude=.glint-journal out want
jq -r 'select(.status == "done") | .input' {one,two,three}.jsonl 2>/dev/null | sort >done.txt
refute "none is done twice, but for those that were in flight when it was killed" \
    test "$(uniq -d done.txt | wc -l)" -gt 16
jq -r 'select(.status == "failed") | .input' {two,three}.jsonl | sort >failed.txt
lines 0 failed.txt

# A restart does nothing again.
begin four.jsonl invert in -o out/ --watch "${cpu[@]}"
patiently skipped 1000 four.jsonl
end TERM 0
says '0 of 1000 done, 1000 skipped, 0 failed'

# A file that changes comes again, and so does one that another takes the place of.
begin .out invert in -o out/ --watch "${cpu[@]}"
picture changed.ppm 40 30 7
cp changed.ppm in/file-0001.ppm
picture replaced.ppm 50 30 8
mv replaced.ppm in/file-0002.ppm
"$glint" batch invert in/file-0001.ppm in/file-0002.ppm -o want/ --quiet --overwrite "${cpu[@]}"
patiently cmp -s out/file-0001.ppm want/file-0001.ppm
check "the changed one" cmp out/file-0001.ppm want/file-0001.ppm
patiently cmp -s out/file-0002.ppm want/file-0002.ppm
check "the other one" cmp out/file-0002.ppm want/file-0002.ppm
end TERM 0

# Hidden files, unfinished names, empty ones and other formats are left alone; damage is one failure; subfolders with -r.
mkdir -p tree/old
picture tree/old/a.ppm 20 10 1
begin .out gaussian tree -r -o 'made/{dir}/{stem}.png' --watch "${cpu[@]}"
picture b.ppm 20 10 2
cp b.ppm tree/.hidden.ppm
cp b.ppm tree/b.ppm.part
echo words >tree/readme.txt
: >tree/empty.ppm
mkdir -p tree/new/deep tree/.git
cp b.ppm tree/.git/c.ppm
cp b.ppm tree/new/deep/c.ppm
mkdir apart
cp b.ppm apart/d.ppm
mv apart tree/moved
head -c 300 b.ppm >tree/torn.ppm
patiently test -e made/new/deep/c.png
patiently test -e made/moved/d.png
patiently failed 'torn.ppm'
mv tree/moved elsewhere
cp b.ppm elsewhere/e.ppm
cp b.ppm tree/late.ppm
patiently test -e made/late.png
end TERM 1
says 'glint: 4 of 5 done, 0 skipped, 1 failed'
check "nothing else" test "$(find made -name '*.png' | sort | tr '\n' ' ')" = \
    "made/late.png made/moved/d.png made/new/deep/c.png made/old/a.png "

# Two inputs that would make one output: the first has it, also after a restart.
mkdir pair
picture pair/a.ppm 20 10 1
begin .out invert pair -o 'one/{stem}.ppm' --watch "${cpu[@]}"
patiently test -e one/a.ppm
cp one/a.ppm first.ppm
cp in/file-0003.ppm pair/a.pnm
patiently failed 'a.pnm: (one/a.ppm exists|.*would both write)'
end TERM 1
begin .out invert pair -o 'one/{stem}.ppm' --watch "${cpu[@]}"
patiently failed 'a.pnm: one/a.ppm exists'
end TERM 1
check "the first one's" cmp first.ppm one/a.ppm

# The folder goes away: the run ends, and says so.
mkdir gone
begin .out invert gone -o out-of-gone/ --watch "${cpu[@]}"
mv gone went
wait "$pid"
check "its status" test $? -eq 3
says 'gone: was moved or removed while it was watched'

gives 2 batch invert in/file-0001.ppm -o out/ --watch "${cpu[@]}"
says 'is no folder; --watch takes folders'
gives 2 batch invert in -o in/out/ -r --watch "${cpu[@]}"
says 'outputs would come into in, which is watched'
gives 2 batch invert in -o '{folder}/{stem}-small.ppm' --watch "${cpu[@]}"
says 'outputs would come into in'
gives 2 batch invert in -o out.ppm --watch "${cpu[@]}"
says 'is one file'
gives 2 batch invert in -o 'out/{index}.ppm' --watch "${cpu[@]}"
says '\{index\}'
gives 2 batch invert in -o - --watch "${cpu[@]}"
gives 2 batch invert in -o out/ --watch --dry-run "${cpu[@]}"
gives 3 batch invert absent -o out/ --resume "${cpu[@]}"

finish
