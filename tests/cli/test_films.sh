#!/usr/bin/env bash
# Films through pipes: frames of y4m and Netpbm streams, as many as come, in order, in constant memory.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu --quiet)

# film TAG FRAMES: a y4m of 6 x 4 pixels in limited range, whose frame n is gray of luma 40 + n.
film() {
    local n
    printf 'YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C%s\n' "$1"
    for ((n = 0; n < $2; n++)); do
        printf 'FRAME\n'
        head -c 24 /dev/zero | tr '\0' "\\$(printf %o $((40 + n)))"
        case $1 in
        420*) head -c 12 /dev/zero ;;
        422) head -c 24 /dev/zero ;;
        444) head -c 48 /dev/zero ;;
        esac | tr '\0' '\200'
    done
}
count() { grep -ao -e "$1" "$2" | wc -l; } # count PATTERN FILE: how often it is there
for tag in 420jpeg 420mpeg2 420 422 444 mono; do
    film $tag 40 >in.y4m
    piped in.y4m batch '' - -o - --format y4m "${cpu[@]}"
    check "$tag: status $status" test $status -eq 0
    check "$tag: the same comes out" cmp .out in.y4m
done
film 420jpeg 40 >in.y4m

# Inverted, luma of 40 to 79 becomes 235 + 16 less that; in order, whatever the threads.
piped in.y4m batch invert - -o - --format y4m "${cpu[@]}" --jobs 5
cp .out inverted.y4m
lumas=$(tail -c +40 inverted.y4m | od -An -v -tu1 -w42 | awk '{ print $7 }' | tr '\n' ' ')
check "frames in order: $lumas" test "$lumas" = "$(seq 211 -1 172 | tr '\n' ' ')"

# To Netpbm and back: (40 - 16) / 219 of 255 is 28.
piped in.y4m batch '' - -o - --format ppm "${cpu[@]}"
cp .out frames.ppm
check "40 pictures" test "$(count P6 frames.ppm)" -eq 40
check "values by hand" test "$(head -c 14 frames.ppm | tail -c 3 | od -An -tu1 | tr -s ' ')" = ' 28 28 28'
piped frames.ppm batch '' - -o - --format y4m "${cpu[@]}"
check "a y4m of pictures" test "$(head -n 1 .out)" = 'YUV4MPEG2 W6 H4 F25:1 Ip C444'
check "and its frames" test "$(count FRAME .out)" -eq 40
piped frames.ppm batch invert - -o - --format ppm "${cpu[@]}"
"$glint" batch invert - -o - --format ppm "${cpu[@]}" <.out | cmp -s - frames.ppm || complain "pictures there and back"
picture small.ppm 5 4 1
picture wide.ppm 9 2 2
{ cat small.ppm wide.ppm; printf 'P5 # gray\n2 1\n65535\n\1\2\3\4'; } >mixed.ppm
piped mixed.ppm batch '' - -o - --format ppm "${cpu[@]}"
check "of any shapes" test "$(count 'P[56]' .out)" -eq 3
ends_with .out '1 2 3 4'
piped mixed.ppm batch '' - -o - --format y4m "${cpu[@]}"
says 'becomes 9 x 2 pixels|becomes 2 x 1 pixels|becomes 5 x 4 pixels'
picture one.ppm 5 4 3
gives 0 batch invert one.ppm -o alone.ppm "${cpu[@]}"
piped one.ppm batch invert - -o - --format ppm "${cpu[@]}"
check "one picture is one, as ever" cmp .out alone.ppm
gives 0 batch '' one.ppm -o one.png "${cpu[@]}"
piped "$GLINT_SOURCE_DIR/tests/formats/jpeg-progressive.jpg" batch '' - -o - "${cpu[@]}"
check "a JPEG stays one: status $status" test "$(head -c 3 .out | od -An -tx1)" = " ff d8 ff"
piped one.png batch '' - -o - --format ppm "${cpu[@]}"
check "and a PNG is no film" cmp .out one.ppm

# BT.709: pure red, and the option.
printf 'P6\n2 2\n255\n\377\0\0\377\0\0\377\0\0\377\0\0' >red.ppm
for matrix in '601 81 90 240' '709 63 102 240'; do
    set -- $matrix
    piped red.ppm batch '' - -o - --format y4m --matrix $1 "${cpu[@]}"
    ends_with .out "$2 $2 $2 $2 $3 $3 $3 $3 $4 $4 $4 $4"
done
gives 2 batch '' - -o - --format y4m --matrix 2020
says '601 or 709'

# Files, another size, a report.
gives 0 batch resize=scale=0.5 in.y4m -o half.y4m --json report.jsonl "${cpu[@]}"
check "half as large" test "$(head -n 1 half.y4m)" = 'YUV4MPEG2 W3 H2 F25:1 Ip A1:1 C420jpeg'
json '.status == "done" and .frames == 40' report.jsonl
gives 2 batch invert in.y4m -o half.y4m "${cpu[@]}"
says 'half.y4m exists'

# A torn or damaged frame ends the film: one sentence, and the frames before it are written.
last="glint batch of a torn film"
head -c 500 in.y4m >torn.y4m
piped torn.y4m batch '' - -o - --format y4m "${cpu[@]}"
check "status $status, want 1" test $status -eq 1
lines 1 .err
says '^glint: standard input: the film ends within frame 11$'
check "ten frames" test "$(count FRAME .out)" -eq 10
head -c 459 in.y4m | cmp -s - .out || complain "which are as they were"
head -c 60 in.y4m >torn.y4m
piped torn.y4m batch '' - -o - --format y4m "${cpu[@]}"
check "nothing to be used: status $status" test $status -eq 3
{ head -c 39 in.y4m; printf 'FRAMF\n'; } >torn.y4m
piped torn.y4m batch '' - -o - --format y4m "${cpu[@]}"
says 'frame 1 does not begin with FRAME'
head -c 39 in.y4m >torn.y4m
piped torn.y4m batch '' - -o - --format y4m "${cpu[@]}"
check "no frame at all: status $status" test $status -eq 3
says 'a film without a frame'
head -c 200 frames.ppm >torn.ppm
piped torn.ppm batch '' - -o - --format ppm "${cpu[@]}"
says '^glint: standard input: the film ends within frame 3$'
printf 'YUV4MPEG2 W6 H4 C411\n' >torn.y4m
piped torn.y4m batch '' - -o - --format y4m "${cpu[@]}"
says 'a y4m of C411; known are 420jpeg'
gives 3 batch '' one.png -o never.y4m "${cpu[@]}"
says 'one.png: is no film'
piped in.y4m batch invert - -o - --format y4m "${cpu[@]}" --level nonsense
check "status $status, want 2" test $status -eq 2
# A frame that the chain refuses is no damage of the film: a file is not half a film for it.
{ cat small.ppm; printf 'P5 2 1 255\n\1\2'; } >shrinks.ppm
gives 3 batch crop=width=5:height=4 shrinks.ppm -o never.y4m "${cpu[@]}"
says '^glint: shrinks.ppm: .*crop'
check "and nothing is written" test ! -e never.y4m

gives 0 batch gaussian=1 in.y4m -o explained.y4m --explain "${cpu[@]}"
tells '^gaussian=1 of 6x4 u8x3, on cpu:$'

# Folders are made; options for pictures are refused, not passed over.
gives 0 batch invert in.y4m -o some/where/out.y4m "${cpu[@]}"
check "in folders that are made" cmp some/where/out.y4m inverted.y4m
for option in --resume '--page 3'; do
    gives 2 batch invert in.y4m -o other/out.y4m $option "${cpu[@]}"
    says "^glint: in.y4m: is a film, .* ${option%% *} is for pictures"
    check "and nothing is made" test ! -e other/out.y4m
done

gives 3 batch '' in.y4m -o frame.png "${cpu[@]}"
says '^glint: in.y4m: is a film: .*--format ppm'
gives 1 batch '' in.y4m one.ppm -o both/ "${cpu[@]}"
says '^glint: in.y4m: is a film: one is filtered at a time'

# A file of several pictures: all by --format ppm; else the first, and that is said.
gives 0 batch '' frames.ppm -o all.ppm --format ppm "${cpu[@]}"
check "all pictures" cmp all.ppm frames.ppm
for i in 1 2; do
    printf 'P5 2000 4000 255\n'
    head -c 8000000 /dev/zero
done >large.pgm
for memory in 1G 4M; do # as a whole, and in strips
    GLINT_MEMORY=$memory gives 0 batch invert large.pgm -o first.pgm --backend cpu --overwrite
    says '^glint: not in all outputs, though in their inputs: further frames$'
done
piped frames.ppm batch '' - -o first.png --backend cpu
says 'further frames$'
piped one.ppm batch '' - -o first.png --backend cpu --overwrite
refute "one picture is no more" grep -q further .err
printf 'P6 # a\n2#b\n1 255#c P6\nabcdef' >comments.ppm
gives 0 batch '' comments.ppm -o comments.out.ppm "${cpu[@]}"
ends_with comments.out.ppm '97 98 99 100 101 102'
cat comments.ppm comments.ppm >twice.ppm
piped twice.ppm batch '' - -o - --format ppm "${cpu[@]}"
check "comments in headers of frames: status $status" test $status -eq 0
check "both of them" cmp .out <(cat comments.out.ppm comments.out.ppm)

# A reader that leaves, and a signal: an end, not a hang.
last="glint batch into head"
"$glint" batch invert - -o - --format y4m "${cpu[@]}" <in.y4m 2>.err | head -c 100 >/dev/null
check "status ${PIPESTATUS[0]}" test "${PIPESTATUS[0]}" -le 4
last="glint batch of a film that goes on, and SIGTERM"
env --default-signal=TERM,PIPE "$glint" batch gaussian=2 - -o - --format y4m "${cpu[@]}" 2>.err >endless.y4m \
    < <(head -c 39 in.y4m; while tail -c +40 in.y4m; do :; done 2>/dev/null) &
pid=$!
while kill -0 $pid 2>/dev/null && [ ! -s endless.y4m ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
check "status $?, want 130" test $? -eq 130
check "what is written is whole" test $((($(stat -c %s endless.y4m) - 39) % 42)) -eq 0

# Memory does not grow with the film: 400 frames of 640 x 480 (0.9 MB each as RGB).
if [ -z "${GLINT_SANITIZED:-}" ]; then
    last="a long film"
    { printf 'YUV4MPEG2 W640 H480 F25:1 C420jpeg\n'
        head -c 460800 /dev/urandom >noise
        for ((i = 0; i < 400; i++)); do printf 'FRAME\n'; cat noise; done; } |
        "$GLINT_TEST_HELPERS/peak" /bin/sh -c "exec '$glint' batch invert - -o - --format y4m --backend cpu --quiet >long.y4m" >.out 2>.err
    check "400 frames" test "$(stat -c %s long.y4m)" -eq $((35 + 400 * 460806))
    peak=$(tail -n 1 .out)
    check "in little memory: $peak KiB" test "$peak" -lt $((96 << 10))
    rm -f long.y4m
fi
finish
