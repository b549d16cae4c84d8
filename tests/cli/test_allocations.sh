#!/usr/bin/env bash
# Every allocation may fail: no crash, no half output, nothing left out of a picture with status 0, and short memory is
# never called damage.
. "$(dirname "$0")/lib.sh"
[ -z "${GLINT_SANITIZED:-}" ] || exit 77 # their allocator cannot be replaced
library=$GLINT_TEST_HELPERS/failing_malloc.so

# 8 x 6 pixels with an ICC profile (sRGB) and an eXIf chunk: the first row is the right side.
base64 -d >turned.png <<'END'
iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAABdmlDQ1BJQ0MgUHJvZmlsZQAAeJx1kb1LQmEUhx+1MNIwKCKiwcGiQSMKorFscJ
EQM8hq0etX4MflXiWkNWhpEBqilr6G/oNag9aCICiCiObGvpaQ27kqKKHn8t7z8HvP73DuuWANZpWc3jUPuXxRCwf87tXomtv+joMhLPQzGVN0
dSEUCtIxfh6lUuLBZ/bqXNc2HImkroClR3hWUbWisExDcKuomrwnPKhkYgnhE2GvJgMK35p6vM5vJqfr/GWyFgkvgtXs6U63cLyFlYyWE54Q9u
SyJaUxj/klzmR+ZVnyiJxRdMIE8OMmTolNshTxSc7Lztr7pmq+JQriUeStUkYTR5qMeL2ilqRrUnJK9KQ8Wcrm3v/vU0/NTNe7O/3Q/WoYn2Ng
34dqxTB+Tw2jega2F7jON/0F2dPct+iVpuY5BtcOXN40tfgBXO3C8LMa02I1ySbHmkrBxwX0RWHgHnrX67tq3HP+BJFt+UV3cHgE41Lv2vgDCj
poDph34iIAAAAaZVhJZk1NACoAAAAIAAEBEgADAAAAAQAGAAAAAAAA1mdLaQAAABlJREFUeJxjZGBgYJbjxkQscqyczNgQPSQAdpkEeR4v088A
AAAASUVORK5CYII=
END
# turned.png as a JPEG: glint writes the profile, the orientation (Exif 2.32) is put behind the first marker.
"$glint" batch '' turned.png -o upright.jpg --quiet --backend cpu || exit 1
head -c 2 upright.jpg >turned.jpg
printf '\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0' >>turned.jpg
tail -c +3 upright.jpg >>turned.jpg
printf 'PF\n8 2\n-1.0\n%0192d' 0 >float.pfm

# sweep STEP WHOLE OUTPUT ARGUMENTS...: lets each STEP-th allocation (of a change, each 11 STEP-th) of `glint
# ARGUMENTS...` fail in turn. OUTPUT is then absent, or WHOLE says that it is as without a failure. Few processes: there
# are hundreds of turns.
sweep() {
    local step=$(($1 * $(every 11))) whole=$2 output=$3 count k said
    shift 3
    rm -f "$output"
    last="glint $*"
    GLINT_COUNT_ALLOCATIONS=counted LD_PRELOAD=$library "$glint" "$@" >.out 2>.err || complain "failed without a failure"
    mv "$output" wanted
    count=$(<counted)
    check "allocations are counted" test "$count" -gt 20
    for ((k = 1; k <= count; k += step)); do
        last="allocation $k of $count fails in glint $*"
        timeout -s KILL 60 env GLINT_FAIL_ALLOCATION="$k" LD_PRELOAD="$library" "$glint" "$@" >.out 2>.err </dev/null
        status=$?
        said=$(<.err)
        checks=$((checks + 1))
        [ $status -eq 0 ] || [ $status -eq 4 ] || complain "exit status $status, want 0 or 4"
        [ $status -ne 0 ] || [ -e "$output" ] || complain "status 0 without the output"
        [ $status -eq 0 ] || [ -n "$said" ] || complain "not a word of why"
        [[ ${said,,} != *damage* ]] || complain "short memory is called damage"
        [ ! -e "$output" ] || $whole wanted "$output" || complain "the output is not what it should be"
        rm -f "$output"
    done
    check "no temporary file is left" test -z "$(find . -name '.?*.??????')"
}

# same_json A B: B is JSON, whole; times differ from run to run.
same_json() { jq -es 'length > 0' "$2" >.jq; }

quiet=(--overwrite --quiet --backend cpu)
sweep 1 cmp turned-out.png batch gaussian=1 turned.jpg -o turned-out.png "${quiet[@]}"
sweep 4 cmp turned-out.jpg batch '' turned.png -o turned-out.jpg "${quiet[@]}"
formats=$GLINT_SOURCE_DIR/tests/formats
profiled=$formats/icc-adobe.png
[ -n "$("$glint" batch --icc srgb --dry-run '' turned.png -o none.png 2>&1 | grep Little)" ] ||
    sweep 2 cmp srgb.png batch --icc srgb '' "$profiled" -o srgb.png "${quiet[@]}"
sweep 4 cmp light.png batch --linear gaussian=1 "$profiled" -o light.png "${quiet[@]}"
sweep 3 cmp text.png batch '' "$formats/metadata.png" -o text.png "${quiet[@]}"
sweep 7 cmp frames.png batch '' "$formats/apng-over.png" -o frames.png "${quiet[@]}"
sweep 5 cmp merged.png batch '' "$formats/psd-packed.psd" -o merged.png "${quiet[@]}"
"$glint" list formats | grep -q '^gif .*lacks' ||
    sweep 5 cmp frames.gif batch '' "$formats/gif-frames.gif" -o frames.gif "${quiet[@]}"
sweep 5 cmp float.hdr batch '' float.pfm -o float.hdr "${quiet[@]}"
sweep 5 cmp traced.png trace spheres=count=3 --size 16x12 -o traced.png "${quiet[@]}"
# The executor, its pools and the journal; a film; formats that come from libraries.
same_files() { cmp -s "$1" "$2"; }
mkdir some && cp turned.jpg some/a.jpg && cp turned.png some/b.png
sweep 7 same_files out/a.jpg batch gaussian=1,sharpen some -o out/ --resume --jobs 2 "${quiet[@]}"
[ ! -e "$(dirname "$glint")/glint-archive.so" ] ||
    sweep 7 same_files packed.tar batch gaussian=1 some -o packed.tar --resume --jobs 2 "${quiet[@]}"
# A journal that there is no memory to read is no reason to call its outputs those of another run.
sweep 1 same_files kept/a.jpg batch gaussian=1 some -o kept/ --resume --jobs 2 --quiet --backend cpu
"$glint" batch '' turned.png -o frame.ppm "${quiet[@]}"
cat frame.ppm frame.ppm frame.ppm >frames.ppm
sweep 7 same_files film.y4m batch gaussian=1 frames.ppm -o film.y4m "${quiet[@]}"
# Memory that came at the second try is not short, whatever errno says.
retried=0
for file in turned.jpg turned.png frame.ppm float.pfm "$formats"/{icc-adobe.png,apng-over.png,gif-frames.gif,exr-four-zip.exr} \
    "$formats"/{psd-packed.psd,bmp-8.bmp}; do
    "$glint" batch '' "$file" -o first.png "${quiet[@]}" 2>.err || continue # built without it
    GLINT_RETRY_ALLOCATIONS=1 LD_PRELOAD=$library "$glint" batch '' "$file" -o second.png "${quiet[@]}" 2>.err
    check "$file at the second try" same_files first.png second.png
    rm -f first.png second.png
    retried=$((retried + 1))
done
check "formats were tried" test $retried -ge 7
for extension in webp exr gif; do # libtiff 4.5 itself follows NULL where a small allocation fails
    [ $extension = gif ] && cp "$GLINT_SOURCE_DIR/tests/fuzz/seeds/codec/two.gif" in.gif
    from=turned.png
    [ $extension = exr ] && from=float.pfm
    [ $extension = gif ] || "$glint" batch '' $from -o in.$extension "${quiet[@]}" 2>.err || continue # built without it
    to=out.$extension
    [ $extension = gif ] && to=out.png
    sweep 3 same_files $to batch '' in.$extension -o $to "${quiet[@]}"
done
sweep 40 same_json bench.json bench convolve --size 16x12 --runs 1 --top --json bench.json "${quiet[@]}"
finish
