#!/usr/bin/env bash
# Each system call of each kind fails in turn (of a change every 7th), over batch, trace and bench. After any failure,
# there is no crash and no torn file, and inputs are as they were. The status is 0 only if every output is whole and
# right. Nothing unfinished is left.
. "$(dirname "$0")/lib.sh"
shopt -s nullglob
failing_calls=${GLINT_TEST_HELPERS:-}/failing_calls.so
[ -e "$failing_calls" ] || { echo "the library that lets calls fail is not here"; exit 77; }
export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
cpu=(--backend cpu --quiet --threads 1)
mkdir in scenes
picture in/a.ppm 8 6 1
picture in/b.ppm 6 8 2
printf '0 1 0\n1 -4 1\n0 1 0\n' >scenes/mask.txt
picture scenes/sky.ppm 8 4 3
printf 'glint-scene 2\nsky image "sky.ppm"\nsphere 0 0 0 1 .5 .5 .5\n' >scenes/my.scene
printf 'in/a.ppm\nin/b.ppm\n' >list.txt
find in scenes list.txt -type f -exec sha256sum {} + >before

batch=(batch convolve=file=scenes/mask.txt --files-from list.txt -o out/new/ --json out.jsonl --profile out.trace --jobs 1)
trace=(trace scenes/my.scene --size 6x4 --look paths --samples 1 -o out.png --json out.jsonl --profile out.trace)
bench=(bench convolve --size 8x8 --runs 1 --level naive --json out.jsonl --profile out.trace)
mkdir want
for command in batch trace; do
    declare -n arguments=$command
    "$glint" "${arguments[@]}" "${cpu[@]}" && rm out.jsonl out.trace || exit 1
done
mv out out.png want
cp -r want old
for file in old/*.png old/out/new/*; do echo old >>"$file"; done

# whole FILE WANTED: FILE is not there, or as WANTED, or as it was before.
whole() { [ ! -e "$1" ] || cmp -s "$1" "want/$1" || { [ -n "$existing" ] && cmp -s "$1" "old/$1"; }; }
report() { # report FILE: not there, or begins and ends as reports do
    [ -e "$1" ] || return 0
    local text
    text=$(<"$1")
    text=${text//[[:space:]]/}
    [[ $text == '{"glint"'*'}' ]]
}
complete() { # complete OUTPUT...: they are there, and right
    local file
    for file; do
        case $file in
        *.jsonl | *.trace) [ -s "$file" ] || return 1 ;;
        *) cmp -s "$file" "want/$file" || return 1 ;;
        esac
    done
}

# attempt OUTPUTS ARGUMENTS...: one run with the faults that the environment asks for.
attempt() {
    local outputs=$1
    shift
    rm -rf out out.*
    [ -z "$existing" ] || cp -r old/. .
    last="FAULT_CALL=${FAULT_CALL:-} FAULT_AT=${FAULT_AT:-} FAULT_ALWAYS=${FAULT_ALWAYS:-} glint $*"
    LD_PRELOAD=$failing_calls "$glint" "$@" "${cpu[@]}" >.out 2>.err </dev/null
    status=$?
    checks=$((checks + 1))
    [ $status -le 4 ] || complain "status $status"
    [ $status -ne 0 ] || complete $outputs || complain "status 0, and not all is there"
    [ $status -eq 0 ] || [ -s .err ] || complain "status $status without a word"
    for file in $outputs; do
        case $file in
        *.jsonl | *.trace) report "$file" || complain "$file is torn" ;;
        *) whole "$file" || complain "$file is torn" ;;
        esac
    done
    local left=(.glint-*.tmp out/.glint-*.tmp out/new/.glint-*.tmp)
    [ ${#left[@]} -eq 0 ] || complain "something unfinished is left"
    sha256sum --quiet -c before || complain "the inputs are not as they were"
}

step=$(every 7)
# attack KINDS OUTPUTS ARGUMENTS...: every STEP-th call of these kinds fails once.
attack() {
    local kinds=$1 count kind
    shift
    for kind in $kinds; do
        FAULT_CALL=$kind FAULT_COUNT=$work/.count attempt "$@"
        check "without a fault: status $status" test $status -eq 0
        count=$(cat .count)
        check "calls of $kind" test "$count" -gt 0
        for ((k = 1; k <= count; k += step)); do
            FAULT_CALL=$kind FAULT_AT=$k attempt "$@"
        done
    done
}
pictures="out/new/a.ppm out/new/b.ppm" reports="out.jsonl out.trace"
existing=
attack "open read write fsync link mkdir close" "$pictures $reports" "${batch[@]}"
attack "open read write fsync link" "out.png $reports" "${trace[@]}"
attack "write fsync link close" "$reports" "${bench[@]}"
existing=yes
attack "fsync link rename" "$pictures $reports" "${batch[@]}" --overwrite
attack "link rename" "out.png $reports" "${trace[@]}" --overwrite

# File systems that lack one thing or another.
for lacking in tmpfile "tmpfile noreplace" "tmpfile noreplace link" link; do
    export FAULT_ALWAYS=$lacking
    [ "$lacking" = "tmpfile noreplace" ] && naming=link || naming=rename
    existing=
    FAULT_CALL= attempt "$pictures $reports" "${batch[@]}"
    check "without $lacking: status $status" test $status -eq 0
    attack $naming "$pictures $reports" "${batch[@]}"
    existing=yes
    FAULT_CALL= attempt "$pictures $reports" "${batch[@]}" --overwrite
    check "without $lacking, over what is there: status $status" test $status -eq 0
    FAULT_CALL= attempt "$pictures $reports" "${batch[@]}"
    check "without $lacking, what is there is kept: status $status" test $status -eq 2
done
unset FAULT_ALWAYS

# The journal: whatever failed, the same command does the rest, and all is as if nothing had.
resumed() { # resumed OUTPUTS ARGUMENTS...: after an attempt
    local outputs=$1
    shift
    last="$last, then without faults"
    "$glint" "$@" "${cpu[@]}" >.out 2>.err </dev/null || complain "cannot be resumed"
    complete $outputs || complain "resumed, and not all is there"
}
resume=(batch convolve=file=scenes/mask.txt --files-from list.txt -o out/new/ --resume --jobs 1)
existing=
for kind in open read write fsync link mkdir close; do
    FAULT_CALL=$kind FAULT_COUNT=$work/.count attempt "$pictures" "${resume[@]}"
    check "without a fault: status $status" test $status -eq 0
    for ((k = 1, count = $(cat .count); k <= count; k += step)); do
        FAULT_CALL=$kind FAULT_AT=$k attempt "$pictures" "${resume[@]}"
        resumed "$pictures" "${resume[@]}"
    done
    # the file there is replaced, as the journal says that it is ours
    attempt "$pictures" "${resume[@]}"
    cp -r out old-run
    for ((k = 1; k <= 3; k++)); do
        rm -rf out && cp -r old-run out
        FAULT_CALL=$kind FAULT_AT=$k LD_PRELOAD=$failing_calls "$glint" "${resume[@]}" "${cpu[@]}" >.out 2>.err </dev/null
        [ $? -le 4 ] || complain "a run that has nothing to do"
        complete $pictures || complain "what was done is not there any more"
    done
    rm -rf old-run
done

# Films, and formats whose libraries write and read.
"$glint" batch '' in/a.ppm in/a.ppm -o 'seq{index}.ppm' "${cpu[@]}" 2>/dev/null
cat in/a.ppm in/a.ppm in/a.ppm >frames.ppm
film=(batch convolve=file=scenes/mask.txt frames.ppm -o out.y4m --json out.jsonl)
formats=(batch invert --files-from listed.txt -o 'out/new/{stem}.{ext}' --jobs 1)
: >listed.txt
formatted=
for extension in tiff webp exr hdr bmp tga png jpg; do
    from=in/a.ppm
    case $extension in exr | hdr) from=float.pfm ;; esac
    printf 'PF\n4 2\n-1.0\n%096d' 0 >float.pfm
    "$glint" batch '' $from -o given.$extension "${cpu[@]}" 2>.err || continue # built without it
    echo given.$extension >>listed.txt
    formatted+=" out/new/given.$extension"
done
rm -rf out out.*
"$glint" "${film[@]}" "${cpu[@]}" && "$glint" "${formats[@]}" "${cpu[@]}" || complain "films or formats"
mkdir -p want/out/new
cp out.y4m want/ && cp out/new/given.* want/out/new/
attack "open read write fsync link close" "out.y4m out.jsonl" "${film[@]}"
attack "open read write fsync link" "$formatted" "${formats[@]}"

# A full disk, and one that takes few bytes at a time.
existing=
FAULT_CALL=write FAULT_AT=2 FAULT_ERROR=28 attempt "out.png $reports" "${trace[@]}"
says 'No space left on device'
FAULT_SHORT=1 attempt "$pictures $reports" "${batch[@]}"
check "short writes: status $status" test $status -eq 0
finish
