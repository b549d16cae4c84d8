#!/usr/bin/env bash
# Pictures larger than memory pass in strips from file to file. They are those of the whole at once to the byte, and
# leave nothing behind if they fail. A chain that cannot pass so is refused with a sentence.
. "$(dirname "$0")/lib.sh"

has() { [ -z "$("$glint" list formats | grep -E "^ *$1 .*not in this build")" ]; } # has FORMAT

# 1200 x 2401 pixels are 8.6 MB: 12 MiB do not hold the picture with its result and the file made of it.
picture tile.ppm 301 601
run batch 'pad=left=299:right=600:top=600:bottom=1200' tile.ppm -o whole.ppm --border mirror --backend cpu --quiet
check "the picture is made" test $status -eq 0
inputs=(whole.ppm) outputs=(ppm png)
gives 0 batch '' whole.ppm -o whole.png --backend cpu --quiet
inputs+=(whole.png)
if has tiff; then
    gives 0 batch '' whole.ppm -o whole.tif --backend cpu --quiet
    inputs+=(whole.tif)
    outputs+=(tif)
fi

# same CHAIN INPUT FORMAT OPTION...: by strips the same file as without. Each thread has memory of its own: a few of them.
same() {
    local chain=$1 input=$2 format=$3
    shift 3
    gives 0 batch "$chain" "$input" -o "want.$format" --backend cpu --quiet --overwrite "$@"
    GLINT_MEMORY=12M run batch "$chain" "$input" -o "got.$format" --backend cpu --threads 4 --overwrite --explain "$@"
    check "$chain of $input to $format $*: status $status" test $status -eq 0
    tells 'in strips of [0-9]+ rows'
    check "the same file" cmp "want.$format" "got.$format"
}

for input in "${inputs[@]}"; do
    for format in "${outputs[@]}"; do
        same gaussian=2,sharpen "$input" "$format"
    done
done
for border in clamp mirror wrap zero constant=0.3; do
    same gaussian=3,equalize,box=2 whole.ppm ppm --border $border
    same sobel,normalize whole.png ppm --border $border --linear
done
same median=2,unsharp whole.ppm pgm --alpha ignore
same grayscale,otsu whole.ppm pgm
same clahe=3:tiles=5,sharpen whole.ppm png
same clahe=by=channel whole.png ppm --alpha ignore
same gaussian=1,tonemap=filmic:key=0.3,equalize whole.ppm ppm
same canny whole.ppm png
for input in "${inputs[@]}"; do
    same resize=scale=0.5 "$input" png
    same gaussian=2,crop=300:1700,resize=97:700,invert "$input" ppm
done
same resize=2400:by=cubic whole.png ppm
same pad=200,sharpen whole.ppm png
same crop=0:100 whole.png ppm --linear
same canny=high=0.4:low=0.05:sigma=3,dilate=3,box=5 whole.png ppm --border mirror

# A filter that needs all of the picture at once is refused, and so is a format that is written as a whole.
export GLINT_MEMORY=12M
for chain in flip=vertical resize=scale=0.5,equalize rotate=90; do
    gives 3 batch $chain whole.ppm -o refused.ppm --backend cpu
    says 'whole.ppm: filtering it, also in strips, needs .* MiB of memory, more than the 12 MiB of the budget.*--spill'
done
# Unless a disk takes it.
mkdir disk
for input in "${inputs[@]}"; do
    further=()
    [ "$input" != whole.ppm ] || further=(rotate=7 distort=k1=-0.1 'warp=1 0.2 0 0 1 0')
    for chain in flip=vertical rotate=90 "${further[@]}" gaussian=2,crop=300:1700,resize=97:700,flip=vertical,invert; do
        format=${input##*.}
        GLINT_MEMORY= gives 0 batch "$chain" "$input" -o "want.$format" --backend cpu --quiet --overwrite
        gives 0 batch "$chain" "$input" -o "got.$format" --backend cpu --quiet --overwrite --spill disk
        check "the same file" cmp "want.$format" "got.$format"
    done
done
# A run fails if its disk has no room, or if a few rows need more than the budget.
(ulimit -f 8000 && GLINT_MEMORY=12M exec "$glint" batch flip=vertical whole.ppm -o refused.ppm --backend cpu --spill disk) 2>.err
status=$?
check "no room: status $status, no crash" test $status -eq 3 -o $status -eq 4
check "no room" grep -q 'disk: no file of .* to spill to: File too large' .err
GLINT_MEMORY=2M gives 3 batch rotate=90 whole.ppm -o refused.ppm --backend cpu --spill disk
says 'whole.ppm: decoding and encoding it row by row needs .* MiB of memory'
refute "nothing is left" test -e refused.ppm
gives 2 batch flip=vertical whole.ppm -o refused.ppm --backend cpu --spill nowhere
says 'spill is "nowhere", want a folder that can be written to'
head -c 8000000 whole.ppm >cut.ppm
gives 3 batch rotate=90 cut.ppm -o refused.ppm --backend cpu --spill disk
says 'cut.ppm: .*ends early'
gives 3 batch gaussian=2 whole.ppm -o refused.bmp --backend cpu
says 'whole.ppm: filtering it needs .* MiB of memory'
piped whole.ppm batch gaussian=2 - -o - --format ppm --backend cpu
check "a stream is read as a whole: status $status" test $status -eq 3

# To a pipe, by formats that never go back.
gives 0 batch gaussian=2,sharpen whole.ppm -o - --format png --backend cpu --quiet
cp .out piped.png
GLINT_MEMORY= gives 0 batch gaussian=2,sharpen whole.ppm -o want.png --backend cpu --quiet --overwrite
check "through a pipe the same" cmp piped.png want.png

# Files that end early: one sentence, no output, and nothing unfinished.
mkdir out
for input in "${inputs[@]}"; do
    size=$(stat -c %s "$input")
    for share in 30 60 99; do
        head -c $((size * share / 100)) "$input" >"cut.${input##*.}"
        gives 3 batch gaussian=2,equalize "cut.${input##*.}" -o out/ --backend cpu
        says "cut.${input##*.}: (damaged|.*ends early)"
        holds out
    done
done

# A file among several that fails loses only itself; a journal knows the files that passed in strips.
mkdir in
cp whole.ppm in/a.ppm
cp whole.png in/b.png
head -c 5000000 whole.ppm >in/c.ppm
picture in/d.ppm 20 15
gives 1 batch gaussian=2 in -o several/ --backend cpu --resume
holds several .glint-journal a.ppm b.png d.ppm
gives 1 batch gaussian=2 in -o several/ --backend cpu --resume --verbose
check "three are done" test "$(grep -c 'is done and unchanged' .err)" -eq 3
unset GLINT_MEMORY

# A signal ends work that would take minutes.
if [ -z "${GLINT_SANITIZED:-}" ]; then
    { printf 'P5\n20000 20000\n255\n'; } >vast.pgm
    truncate -s 400000019 vast.pgm
    GLINT_MEMORY=64M "$glint" batch gaussian=5,sharpen vast.pgm -o vast-out.png --backend cpu --quiet 2>.err &
    job=$!
    patiently at_work $job
    sleep 0.2
    kill -TERM $job
    wait $job
    status=$?
    check "interrupted: status $status" test $status -eq 130
    check "no output" test ! -e vast-out.png

    # 20000 x 20000 pixels are 400 MB: they pass in the budget and the program's own memory.
    last="20000 x 20000 in 64 MiB"
    GLINT_MEMORY=64M "$GLINT_TEST_HELPERS/peak" "$glint" batch invert vast.pgm -o vast-out.png --quiet --backend cpu \
        >.out 2>.err
    check "is filtered" test $? -eq 0
    peak=$(tail -n 1 .out)
    check "in the budget and 24 MiB: $peak KiB" test "$peak" -lt $((88 << 10))
    rm -f vast*
fi
finish
