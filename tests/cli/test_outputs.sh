#!/usr/bin/env bash
# All outputs of all commands have one rule: they are distinct, and none is an input. A file that exists is replaced
# only where that was said, or if it is an earlier report of the same kind.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu --quiet)
picture a.ppm 8 6 1
picture b.ppm 8 6 2
picture sky.ppm 16 8 3
echo '0 1 0 1 -4 1 0 1 0' >mask.txt
printf 'a.ppm\nb.ppm\n' >list.txt
printf 'glint-scene 2\nsky image "sky.ppm"\nsphere 0 0 0 1 .5 .5 .5\n' >my.scene
mkdir sub
ln -s a.ppm link.ppm
ln a.ppm hard.ppm
ln -s "$PWD/my.scene" link.scene
ln sky.ppm hard.sky
ln -s . here
sha256sum a.ppm b.ppm sky.ppm mask.txt list.txt my.scene >before
: >.out
: >.err
: >names
refused() { # refused ARGUMENTS...: a usage error; no input is touched, and nothing is made
    find . | sort >names
    gives 2 "$@" "${cpu[@]}"
    check "the inputs are as they were" sha256sum --quiet -c before
    check "nothing is made" diff <(find . | sort) names
}

# An input of a command is no output of it, whatever it is called and whatever may be replaced.
for option in --json --profile '--overwrite --json' '--overwrite --profile'; do
    for path in my.scene ./my.scene link.scene here/sub/../my.scene sky.ppm hard.sky here/sky.ppm; do
        refused trace my.scene --size 8x8 -o x.png $option $path
        says 'my.scene|sky.ppm|link.scene|hard.sky'
    done
    refused trace spheres=count=3 --filter convolve=file=mask.txt --size 8x8 -o x.png $option mask.txt
    for path in a.ppm link.ppm hard.ppm "$PWD/a.ppm" list.txt mask.txt here/list.txt; do
        refused batch convolve=file=mask.txt --files-from list.txt -o out/ $option $path
    done
    refused bench convolve --filter convolve=file=mask.txt --size 32x32 --runs 1 $option mask.txt
    refused bench trace --scene my.scene --size 8x8 --runs 1 $option here/my.scene
    refused bench trace --scene my.scene --size 8x8 --runs 1 $option sky.ppm
done
refused bench trace --scene my.scene --size 8x8 --runs 1 --plot my.scene
! command -v gnuplot >/dev/null || refused bench trace --scene my.scene --size 8x8 --runs 1 --plot sky.ppm --overwrite
for path in my.scene link.scene sky.ppm hard.sky; do
    ln -sf $path out.png
    refused trace my.scene --size 8x8 -o out.png --overwrite
    rm out.png
done
for path in mask.txt list.txt; do # also those that are no pictures
    ln -s $path as.ppm
    refused batch convolve=file=mask.txt a.ppm --files-from list.txt -o 'new{index}/../sub/../as.ppm' --overwrite --shard 1/3
    refused batch convolve=file=mask.txt a.ppm --files-from list.txt -o as.ppm --overwrite --shard 1/3
    rm as.ppm
done
refused batch invert a.ppm -o new/../sub/../a.ppm --overwrite
says 'a.ppm is an input'
piped a.ppm batch invert - -o a.ppm --overwrite "${cpu[@]}"
check "standard input is an input: status $status, want 2" test $status -eq 2
check "the inputs are as they were" sha256sum --quiet -c before

# Two outputs are never one file, under whatever spellings, even if its folder is yet to be made.
for path in new.json ./new.json sub/../new.json here/new.json; do
    refused trace spheres=count=3 --size 8x8 -o x.png --json new.json --profile $path
    refused bench convolve --size 8x8 --runs 1 --plot new.json --json $path
    refused batch invert a.ppm -o out/ --json new.json --profile $path
done
refused trace spheres=count=3 --size 8x8 -o x.png --json x.png
refused trace spheres=count=3 --size 8x8 -o x.png --profile here/x.png
refused trace cloud=9 --camera perspective --size 8x8 -o x.png --orbit 3 --json x-0002.png
refused trace cloud=9 --camera perspective --size 8x8 -o x.png --orbit 3 --profile ./x-0003.png
refused batch invert a.ppm b.ppm -o 'new/{index}/../../new//./{stem}/../x.ppm'
says 'a.ppm and b.ppm would both write'
refused batch invert a.ppm b.ppm -o 'new{index}/../sub/x.ppm'
refused batch invert a.ppm b.ppm -o 'new/{index}/../../../'"${PWD##*/}"'/x.ppm'
refused batch invert a.ppm -o - --json -
refused trace spheres=count=3 --size 8x8 -o - --json -
refused trace spheres=count=3 --size 8x8 -o x.png --profile - --json -

# A file that exists is no report of ours until it begins like one of the same kind.
echo precious >precious
for option in --json --profile --plot; do
    refused bench convolve --size 8x8 --runs 1 $option precious
    says 'precious.*--overwrite'
done
refused trace spheres=count=3 --size 8x8 -o x.png --json precious
refused batch invert a.ppm -o out/ --json precious
check "it is as it was" grep -qx precious precious
gives 0 batch invert a.ppm b.ppm -o out/ --json batch.json --profile profile.json "${cpu[@]}"
gives 0 trace spheres=count=3 --size 8x8 -o x.png --json trace.json "${cpu[@]}"
gives 0 bench convolve --size 8x8 --runs 1 --json bench.json "${cpu[@]}"
rm -r out x.png
for kind in batch trace bench profile; do
    [ $kind = batch ] || refused batch invert a.ppm -o out/ --json $kind.json
    [ $kind = trace ] || refused trace spheres=count=3 --size 8x8 -o x.png --json $kind.json
    [ $kind = bench ] || refused bench convolve --size 8x8 --runs 1 --json $kind.json
    [ $kind = profile ] || refused bench convolve --size 8x8 --runs 1 --profile $kind.json
done
: >empty.json
ln -s batch.json latest.json
for report in batch.json empty.json latest.json; do
    gives 0 batch invert a.ppm -o $report.d/ --json $report --profile profile.json "${cpu[@]}"
    lines 2 $report
done
check "a link stays, and what it leads to is replaced" test -L latest.json
gives 0 trace spheres=count=3 --size 8x8 -o x.png --json trace.json "${cpu[@]}"
gives 0 bench convolve --size 8x8 --runs 1 --json bench.json "${cpu[@]}"
gives 0 bench convolve --size 8x8 --runs 1 --json precious --overwrite "${cpu[@]}"
check "--overwrite replaces what is no input" jq -e '.glint == "bench"' precious >/dev/null
if command -v gnuplot >/dev/null; then
    gives 0 bench convolve --size 8x8 --runs 1 --plot plot.svg "${cpu[@]}"
    gives 0 bench convolve --size 8x8 --runs 1 --plot plot.svg "${cpu[@]}"
    check "a drawing" grep -q '</svg>' plot.svg
    refused bench convolve --size 8x8 --runs 1 --json plot.svg
fi

# A request that makes no sense, or a file that cannot be written, takes nothing away.
cp batch.json kept.json
cp profile.json kept-profile.json
gives 2 batch nonsense a.ppm -o out/ --json batch.json --profile profile.json "${cpu[@]}"
gives 2 batch invert a.ppm -o out/ --level nonsense --json batch.json --profile profile.json "${cpu[@]}"
check "the report is as it was" cmp -s batch.json kept.json
check "the trace is as it was" cmp -s profile.json kept-profile.json
for option in --json --profile --plot; do
    gives 4 bench convolve --size 8x8 --runs 1 $option missing/report "${cpu[@]}"
    gives 4 bench convolve --size 8x8 --runs 1 $option sub "${cpu[@]}"
done
says 'sub: is no regular file'

# A report may be a stream: a pipe, a device, the target of a shell's standard output.
mkfifo pipe
cat pipe >from-pipe &
gives 0 batch invert a.ppm b.ppm -o out/ --json pipe "${cpu[@]}"
wait $!
lines 3 from-pipe
json '.glint == "batch"' from-pipe
"$glint" batch invert a.ppm b.ppm -o out/ --overwrite --json /dev/stdout "${cpu[@]}" >stream.json
lines 3 stream.json
"$glint" batch invert a.ppm b.ppm -o out/ --overwrite --json /dev/stdout "${cpu[@]}" | cat >stream.json
lines 3 stream.json
gives 0 batch invert a.ppm b.ppm -o out/ --overwrite --json /dev/null "${cpu[@]}"
gives 4 batch invert a.ppm b.ppm -o out/ --overwrite --json /dev/full "${cpu[@]}"
says '/dev/full: cannot be written: No space'
last='glint batch --json - >/dev/full'
"$glint" batch invert a.ppm b.ppm -o out/ --overwrite --json - "${cpu[@]}" >/dev/full 2>.err
check "status $?, want 4" test $? -eq 4
says '^glint: standard output cannot be written: No space'
gives 2 batch invert a.ppm -o - --json /dev/stdout "${cpu[@]}"

# --skip-existing skips, also files that another process wrote meanwhile.
rm -rf out
mkdir in
for i in $(seq 10 49); do picture in/$i.ppm 20 15 "$i"; done
for process in 1 2 3; do
    "$glint" batch gaussian=3 in -o out/ --skip-existing --json $process.json --jobs 2 "${cpu[@]}" 2>$process.err &
    pids[process]=$!
done
for process in 1 2 3; do
    wait "${pids[process]}"
    status=$?
    check "process $process: status $status" test $status -eq 0
    check "process $process says nothing" test ! -s $process.err
    lines 41 $process.json
done
cat 1.json 2.json 3.json >all.json
json '.status == "done" or .status == "skipped"' all.json
check "each picture is done once" test "$(jq -r 'select(.status == "done") | .output' all.json | sort | uniq -d)" = ""
check "all are done" test "$(grep -c '"status":"done"' all.json)" -eq 40
check "nothing else is left" test -z "$(find . -name '.glint-*')"
finish
