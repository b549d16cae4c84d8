#!/usr/bin/env bash
# Runs that survive: the journal of --resume, retries, reasons that stop a run, a full disk, and the summary of it all.
. "$(dirname "$0")/lib.sh"
shopt -s nullglob
cpu=(--backend cpu)
mkdir in
for i in 1 2 3 4 5 6; do picture in/$i.ppm 30 20 "$i"; done
counts() { # counts DONE SKIPPED: as the last run says
    says "glint: $1 of 6 done, $2 skipped, 0 failed"
}

# Outputs that are done and unchanged are left alone. All others are done, also over files that the journal calls its
# own.
gives 0 batch invert in -o out/ --resume "${cpu[@]}"
counts 6 0
lines 6 out/.glint-journal
gives 0 batch invert in -o out/ --resume "${cpu[@]}"
counts 0 6
rm out/2.ppm
gives 0 batch invert in -o out/ --resume "${cpu[@]}"
counts 1 5
picture in/3.ppm 30 20 33 # of the same size
gives 0 batch invert in -o out/ --resume "${cpu[@]}"
counts 1 5
touch in/4.ppm # the time alone is no change
gives 0 batch invert in -o out/ --resume "${cpu[@]}" --json report.jsonl
counts 0 6
json '.status == "skipped" and .reason == "is done and unchanged"' report.jsonl
gives 0 batch gaussian in -o out/ --resume "${cpu[@]}" --dry-run
check "a dry run finds all to be done" test "$(grep -c -e '->' .out)" -eq 6
gives 0 batch gaussian in -o out/ --resume "${cpu[@]}"
counts 6 0
gives 0 batch gaussian in -o out/ --resume --border wrap "${cpu[@]}"
counts 6 0
gives 0 batch gaussian in -o out/ --resume --border wrap --level reference --jobs 1 "${cpu[@]}"
counts 0 6 # all levels agree
gives 0 batch gaussian "$PWD/in" -o "$PWD/out" --resume --border wrap "${cpu[@]}"
counts 0 6
mv out moved
gives 0 batch gaussian in -o moved/ --resume --border wrap "${cpu[@]}"
counts 0 6
printf '0 1 0\n1 1 1\n0 1 0\n' >mask.txt
gives 0 batch convolve=file=mask.txt in -o 'masked/{stem}.png' --resume "${cpu[@]}"
gives 0 batch convolve=file=mask.txt in -o 'masked/{stem}.png' --resume "${cpu[@]}"
counts 0 6
printf '0 1 0\n1 -4 1\n0 1 0\n' >mask.txt # what the chain reads counts
gives 0 batch convolve=file=mask.txt in -o 'masked/{stem}.png' --resume "${cpu[@]}"
counts 6 0

# Whatever else is in a place is nobody's to replace.
echo precious >moved/5.ppm
gives 2 batch gaussian in -o moved/ --resume "${cpu[@]}"
says 'moved/5.ppm exists'
check "it is as it was" grep -q precious moved/5.ppm
gives 0 batch gaussian in -o moved/ --resume --overwrite --border wrap "${cpu[@]}"
counts 1 5
gives 2 batch gaussian - -o - --resume
says '^glint.*--resume'

# A torn last line, rubbish, and an empty journal.
gives 0 batch invert in -o torn/ --resume "${cpu[@]}"
truncate -s -30 torn/.glint-journal
gives 2 batch invert in -o torn/ --resume "${cpu[@]}" # the file is there, and the journal does not know it
says 'torn/.*exists'
gives 0 batch invert in -o torn/ --resume --overwrite "${cpu[@]}"
counts 1 5
gives 0 batch invert in -o torn/ --resume "${cpu[@]}"
counts 0 6
printf '\0\377{"output":3}\n[[[[\n{"glint":"journal","output":"1.ppm","input":"x","made":"y","recipe":"z"}\n' >>torn/.glint-journal
gives 0 batch invert in -o torn/ --resume "${cpu[@]}"
counts 0 6
: >torn/.glint-journal
gives 2 batch invert in -o torn/ --resume "${cpu[@]}"

# Killed at random moments, a run goes on where it was; in the end all is as if it had never been killed.
mkdir many
for i in $(seq 10 49); do picture many/$i.ppm 60 40 "$i"; done
"$glint" batch gaussian=2 many -o want/ --quiet "${cpu[@]}" || exit 1
RANDOM=7
last="glint batch --resume, killed again and again"
for turn in $(seq 1 25); do
    "$glint" batch gaussian=2 many -o killed/ --resume --quiet --jobs 2 "${cpu[@]}" >.out 2>.err </dev/null &
    pid=$!
    sleep 0.00$((RANDOM % 9 + 1))
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    for file in killed/*.ppm; do
        cmp -s "$file" "want/${file#*/}" || complain "$file is torn"
    done
done
gives 0 batch gaussian=2 many -o killed/ --resume "${cpu[@]}"
says '40 of 40 done|[0-9]+ of 40 done, [0-9]+ skipped, 0 failed'
for file in want/*.ppm; do check "$file" cmp -s "$file" "killed/${file#*/}"; done
check "nothing else is there" test "$(ls -A killed | wc -l)" -eq 41
gives 0 batch gaussian=2 many -o killed/ --resume "${cpu[@]}"
says '0 of 40 done, 40 skipped'

# Size and time are those of many files: names, inodes and contents count. A run is killed again and again while names
# are swapped and files added in front, so that every output's input changes. It ends as if it were the first.
same_time() { touch -d '2020-01-01 00:00:00' "$@"; }
mkdir alike
for i in $(seq 20 39); do picture alike/$i.ppm 30 20 "$i"; done
same_time alike/*
printf '0 1 0\n1 1 1\n0 1 0\n' >alike.txt
same_time alike.txt
resume=(batch convolve=file=alike.txt alike -o 'turned/{index}.ppm' --resume --jobs 2 "${cpu[@]}")
compare() { # compare WHAT: the outputs are those of an uninterrupted run
    rm -rf straight
    "$glint" batch convolve=file=alike.txt alike -o 'straight/{index}.ppm' --quiet "${cpu[@]}"
    last="glint ${resume[*]}"
    for file in straight/*.ppm; do check "$1: $file" cmp -s "$file" "turned/${file#*/}"; done
}
gives 0 "${resume[@]}"
compare "at first"
mv alike/20.ppm alike/x && mv alike/21.ppm alike/20.ppm && mv alike/x alike/21.ppm
gives 0 "${resume[@]}"
says '2 of 20 done, 18 skipped'
compare "two names swapped"
picture alike/10.ppm 30 20 99
same_time alike/10.ppm
gives 0 "${resume[@]}"
says '21 of 21 done'
compare "a file in front"
picture alike/15.ppm 30 20 98 # in place, of the same size and time
cat alike/15.ppm >alike/10.ppm
rm alike/15.ppm
same_time alike/10.ppm
gives 0 "${resume[@]}"
says '1 of 21 done, 20 skipped'
compare "another content in place"
printf '0 1 0\n1 2 1\n0 1 0\n' >alike.txt
same_time alike.txt
gives 0 "${resume[@]}"
says '21 of 21 done'
compare "another mask of the same size and time"
cp -rp alike copied && rm -rf alike && mv copied alike # other inodes, the same content
gives 0 "${resume[@]}"
says '0 of 21 done, 21 skipped'
step=$(every 20) next=9
for ((turn = 0; turn < 300; turn += step)); do
    a=$((RANDOM % 20 + 20)) b=$((RANDOM % 20 + 20))
    mv alike/$a.ppm alike/x && mv alike/$b.ppm alike/$a.ppm 2>/dev/null
    mv alike/x alike/$b.ppm
    if [ $((turn / step % 5)) -eq 0 ]; then
        picture alike/$((next--)).ppm 30 20 $((500 + turn))
        [ $next -ge 1 ] || { next=9 && rm alike/?.ppm; }
        same_time alike/*
    fi
    "$glint" "${resume[@]}" --quiet >.out 2>.err </dev/null &
    pid=$!
    sleep 0.0$((RANDOM % 40 + 10))
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
gives 0 "${resume[@]}"
compare "after kills"
check "the kills came while there was work" test "$(wc -l <turned/.glint-journal)" -gt 80

# A line that lacks the input's inode, as those of before, is believed if the content is the same.
sed -i -E 's/("input":"[0-9]+ [0-9]+ [0-9a-f]+) [0-9]+ -?[0-9]+"/\1"/' turned/.glint-journal
gives 0 "${resume[@]}"
says ' 0 of [0-9]+ done'
picture alike/10.ppm 30 20 97
same_time alike/10.ppm
gives 0 "${resume[@]}"
says ' 1 of [0-9]+ done'

# A planted journal lets nothing be replaced elsewhere: neither by a link, nor in a folder behind one.
mkdir victim planted
gives 0 batch invert in -o 'planted/{stem}/x.ppm' --resume "${cpu[@]}"
for way in file folder; do
    rm -rf victim/* planted/1
    cp -p planted/2/x.ppm victim/x.ppm
    if [ $way = file ]; then
        mkdir planted/1 && ln -s ../../victim/x.ppm planted/1/x.ppm
    else
        ln -s ../victim planted/1
    fi
    cp -p victim/x.ppm kept.ppm
    grep '"output":"2/' planted/.glint-journal | sed 's,"output":"2/,"output":"1/,' >>planted/.glint-journal
    gives 2 batch gaussian in -o 'planted/{stem}/x.ppm' --resume "${cpu[@]}"
    says 'planted/1/x.ppm exists; say --overwrite'
    check "$way: it is as it was" cmp -s victim/x.ppm kept.ppm
    holds victim x.ppm
done

# The folder of the outputs is the one that was there at first, whatever has its name by now.
last="glint batch, its output folder renamed"
mkdir held aside
mkfifo slow.ppm
"$glint" batch invert many/10.ppm slow.ppm many/11.ppm -o held/ --jobs 2 --resume "${cpu[@]}" >.out 2>.err </dev/null &
pid=$!
until [ -e held/10.ppm ] || ! kill -0 $pid 2>/dev/null; do sleep 0.01; done
mv held renamed
ln -s aside held
cat many/12.ppm >slow.ppm
wait $pid
check "status $?" test $? -eq 0
check "outputs went along" test -e renamed/10.ppm -a -e renamed/11.ppm -a -e renamed/slow.ppm
check "and the journal" grep -q "11.ppm" renamed/.glint-journal
holds aside
# An output folder that is yet to be made is no link that came to be meanwhile.
last="glint batch, its output folder made by another process"
"$glint" batch invert slow.ppm -o fresh/out/ --jobs 1 "${cpu[@]}" >.out 2>.err </dev/null &
pid=$!
exec 7>slow.ppm # it waits for the end
head -c 100 many/12.ppm >&7
mkdir fresh && ln -s ../aside fresh/out
tail -c +101 many/12.ppm >&7
exec 7>&-
wait $pid
status=$?
check "status $status, want 4" test $status -eq 4
says 'fresh/out: the folder cannot be made'
holds aside
rm slow.ppm

# Two processes share a journal.
for i in 1 2; do "$glint" batch gaussian=2 many -o shared/ --resume --shard $i/2 --quiet "${cpu[@]}" & done
wait
lines 40 shared/.glint-journal
gives 0 batch gaussian=2 many -o shared/ --resume "${cpu[@]}"
says '0 of 40 done, 40 skipped'

# An input that comes later is found by a retry; one that never comes fails in the end.
last="glint batch --retry"
(
    until grep -qs 'trying again' .err || [ -e ended ]; do sleep 0.02; done
    cp in/1.ppm late.tmp
    mv late.tmp late.ppm
) &
gives 0 batch invert late.ppm -o late-out.ppm --retry 3 "${cpu[@]}"
says 'late.ppm: .*; trying again'
: >ended
wait
gives 1 batch invert never.ppm in/1.ppm -o never/ --retry 1 "${cpu[@]}"
check "told once that it failed" test "$(grep -c 'never.ppm' .err)" -eq 2
holds never 1.ppm

# A journal is a regular file.
mkdir odd
mkfifo odd/.glint-journal
gives 2 batch invert in -o odd/ --resume "${cpu[@]}"
says 'odd/.glint-journal: is not a regular file'
rm odd/.glint-journal
ln -s ../elsewhere odd/.glint-journal
gives 2 batch invert in -o odd/ --resume "${cpu[@]}"
check "nothing is written elsewhere" test ! -e elsewhere
rm odd/.glint-journal
echo precious >elsewhere
ln elsewhere odd/.glint-journal
gives 2 batch invert in -o odd/ --resume "${cpu[@]}"
says 'odd/.glint-journal: has another name elsewhere'
check "nothing is added elsewhere" test "$(<elsewhere)" = precious
rm elsewhere

# Files that may not grow are refused one by one.
mkdir limited
last="glint under ulimit -f 1"
(ulimit -f 1 && "$glint" batch invert in -o limited/ "${cpu[@]}" >.out 2>.err)
status=$?
check "status $status, want 4" test $status -eq 4
says 'limited/1.ppm: cannot be written: File too large'
check "nothing is left" test -z "$(ls -A limited)"

# Options that stop a run, and the words at its end.
echo "no picture" >in/3x.ppm
gives 1 batch invert in -o skip/ --on-error skip "${cpu[@]}" --json report.jsonl
check "six files" test "$(ls skip | wc -l)" -eq 6
gives 1 batch invert in -o stop/ --on-error stop --jobs 1 "${cpu[@]}"
says ', 1 failed, [0-9]+ left, '
check "those before it are done" test -e stop/1.ppm -a -e stop/3.ppm
check "not those after it" test ! -e stop/6.ppm
gives 2 batch invert in -o stop/ --on-error panic
says 'panic.*skip or stop'
check "the report ends with a summary" jq -es '.[-1] | .status == "summary" and .files == 7 and .done == 6 and .failed == 1
    and (.failures | length == 1) and .failures[0].input == "in/3x.ppm" and (.failures[0].error | length > 10)
    and .busy.decode >= 0 and .busy.encode >= 0 and .busy.disk >= 0 and .busy.cpu >= 0' report.jsonl >.jq
gives 1 batch invert in -o verbose/ --verbose "${cpu[@]}"
check "failures are said again among many lines" test "$(grep -c 'in/3x.ppm' .err)" -eq 2
says '6 of 7 done, 0 skipped, 1 failed, [0-9.]+ s; busy: decode [0-9]+ %, encode [0-9]+ %, cpu [0-9]+ %, disk [0-9]+ %'
rm in/3x.ppm

# Devices.
for devices in '' , 1,1 0, x 'all,0' -1 99; do
    gives 2 batch invert in -o none/ --devices "$devices"
    says 'devices is .*want all, or numbers'
done
gives 0 batch invert in -o all/ --devices all "${cpu[@]}"
gives 4 batch invert in -o two/ --devices 0,1 "${cpu[@]}"
says 'device 0 only'

# Codecs of devices, of which the cpu has none.
gives 2 batch invert in -o none/ --codec fast
says 'codec is "fast", want auto, cpu or gpu'
gives 2 batch invert in -o none/ --codec gpu --sandbox
says 'sandbox decodes .*excludes it'
gives 4 batch invert in -o none/ --codec gpu "${cpu[@]}"
says 'codec gpu: the cpu backend has no codec of its own'
gives 0 batch invert in -o codec/ --codec cpu "${cpu[@]}"
gives 0 batch invert in -o codec/ --codec auto "${cpu[@]}" --overwrite

# A full disk: one sentence, nothing torn, and the run ends after the first.
failing_calls=${GLINT_TEST_HELPERS:-}/failing_calls.so
if [ -e "$failing_calls" ]; then
    export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
    for at in 1 2 3 7; do
        rm -rf full
        last="glint batch, write $at finds the disk full"
        LD_PRELOAD=$failing_calls FAULT_CALL=write FAULT_AT=$at FAULT_ERROR=28 "$glint" batch invert many -o full/ \
            --quiet "${cpu[@]}" --jobs 1 >.out 2>.err </dev/null
        check "status 4" test $? -eq 4
        lines 1 .err
        says '^glint: full/[0-9]+.ppm: cannot be written: No space left on device: the run ends here, [0-9]+ of 40 files are done$'
        check "it ends soon: $(ls full | wc -l)" test "$(ls full | wc -l)" -lt 30
        for file in full/*.ppm; do
            "$glint" batch invert "$file" -o - --quiet "${cpu[@]}" | cmp -s - "many/${file#*/}" || complain "$file is torn"
        done
        check "nothing unfinished is left" test -z "$(find full -name '.glint-*')"
    done
fi
finish
