#!/usr/bin/env bash
# GLINT_MEMORY: one budget for the process, in which large pictures take turns; and formats are known early.
. "$(dirname "$0")/lib.sh"

# The value means the number it says, or is refused.
picture small.ppm 20 15
for value in 1G 0.5G 1T 64m 100000000; do
    export GLINT_MEMORY=$value
    gives 0 batch invert small.ppm -o out.png --overwrite --quiet
done
for value in abc -1 0 1X 1/2G 12.5.1G; do
    export GLINT_MEMORY=$value
    gives 2 batch invert small.ppm -o out.png --overwrite --quiet
    says "GLINT_MEMORY is \"$value\", want"
done
unset GLINT_MEMORY

# Six pictures of 3000 x 2000 go to six workers. Each takes 12 MB of file, picture or frame at a time, four of them at
# once at its height. 64 MiB hold one such job, and two would be too many.
mkdir many
{ printf 'P5\n3000 2000\n255\n'; head -c 6000000 /dev/urandom; } >many/1.pgm
for i in 2 3 4 5 6; do cp many/1.pgm many/$i.pgm; done
export GLINT_MEMORY=40M
last="six jobs in $GLINT_MEMORY"
"$GLINT_TEST_HELPERS/peak" "$glint" batch gaussian=2 many -o turns/ --jobs 6 --quiet --backend cpu >.out 2>.err
check "all fit one after the other" test $? -eq 0
holds turns {1,2,3,4,5,6}.pgm
peak=$(tail -n 1 .out)
[ -n "${GLINT_SANITIZED:-}" ] || check "at most the budget and 24 MiB for the program: $peak KiB" test "$peak" -lt $((64 << 10))
export GLINT_MEMORY=20M
gives 3 batch gaussian=2,flip=vertical many/1.pgm -o refused.pgm # by rows it would fit (test_vast.sh)
says 'many/1.pgm: .* needs .* MiB of memory, more than the 20 MiB of the budget'
piped many/1.pgm batch gaussian=2 - -o - --format pgm
check "a stream that does not fit is refused" test $status -eq 3
says 'standard input: '
export GLINT_MEMORY=40M
piped many/1.pgm batch gaussian=2 - -o - --format ppm --backend cpu --quiet
check "a stream that fits is not" test $status -eq 0
check "and gives the same picture" cmp .out turns/1.pgm
unset GLINT_MEMORY

# The first 64 KiB of a file tell its format: a terabyte of holes is not read.
truncate -s 1T vast.png
gives 3 batch invert vast.png -o out.png --overwrite
says 'vast.png: no known picture format'
printf 'P6\n20 15\n255\n' | dd of=vast.png conv=notrunc status=none
gives 3 batch invert vast.png -o out.bmp --overwrite
says 'vast.png: .*GLINT_MEMORY'
gives 0 batch invert vast.png -o out.png --overwrite # what is read by rows ends with its last row

# A small frame on a large canvas is a picture like another, if a file of its size could fill the canvas. A code of 9 to
# 12 bits stands for 4096 pixels at most, so that 8000 x 8000 take 17 580 bytes. Then memory decides.
gif() { # gif WIDTH_AND_HEIGHT COMMENT_BLOCKS: a frame of 1 x 1, behind comments of 256 bytes a block
    printf 'GIF89a%b%b\x80\0\0\0\0\0\xff\xff\xff\x21\xfe' "$1" "$1"
    for ((i = 0; i < $2; i++)); do printf '\xff%255s' ''; done
    printf '\0,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;'
}
gif '\x40\x1f' 0 >canvas.gif
gives 3 batch invert canvas.gif -o canvas.png
says 'canvas.gif: a GIF with a canvas of 8000 x 8000 pixels, more than its 38 bytes can fill'
gif '\x40\x1f' 69 >canvas.gif
GLINT_MEMORY=100M run batch invert canvas.gif -o canvas.png
check "8000 x 8000 pixels are too many for 100 MB: status $status" test $status -eq 3
says 'canvas.gif: .*GLINT_MEMORY'
gif '\x40\x01' 0 >canvas.gif
GLINT_MEMORY=10M run batch invert canvas.gif -o canvas.png --backend cpu
check "320 x 320 are not: status $status" test $status -eq 0

# The frames between picture and result are as large as a strip: 48 MB of u8 are 192 MB of f32, twice.
printf 'P7\nWIDTH 4000\nHEIGHT 3000\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n' >large.pam
head -c 48000000 /dev/zero >>large.pam
if [ -z "${GLINT_SANITIZED:-}" ]; then # whose shadow is memory, too
    last="a large picture"
    "$GLINT_TEST_HELPERS/peak" "$glint" batch gaussian=2 large.pam -o large.png --quiet --backend cpu >.out 2>.err
    check "is filtered" test $? -eq 0
    peak=$(tail -n 1 .out)
    check "in the picture, its result, a strip and 24 MiB: $peak KiB" test "$peak" -lt $((184 << 10))
fi
GLINT_MEMORY=200M run batch gaussian=2 large.pam -o large.png --overwrite --quiet --backend cpu
check "so that 200 MB are enough: status $status" test $status -eq 0
rm -f large.pam large.png

# Tracing counts the memory it holds at once: the frame, the picture, and the file made of it.
GLINT_MEMORY=20M run trace spheres=count=3 --size 2000x1500 -o traced.tga --backend cpu --quiet
check "9 MB of pixels, three times: status $status" test $status -eq 3
says 'tracing needs .* MiB of memory'
GLINT_MEMORY=40M run trace spheres=count=3 --size 2000x1500 -o traced.ppm --backend cpu --quiet
check "which 40 MB hold: status $status" test $status -eq 0

# Encoders take more than the picture: 660 MiB for 12 megapixels as JPEG XL, whose library would end the program.
{ printf 'P6\n4000 3000\n255\n' && head -c 36000000 /dev/zero; } >wide.ppm
if [ -z "$("$glint" list formats | grep -E '^jxl .*lacks')" ]; then
    GLINT_MEMORY=256M run batch '' wide.ppm -o wide.jxl --backend cpu
    check "the encoder's memory counts: status $status" test $status -eq 3
    says 'wide.ppm: encoding it needs .* MiB of memory, more than the 256 MiB'
    if [ -z "${GLINT_SANITIZED:-}" ]; then # who reserve more addresses than that
        (ulimit -v 600000 && GLINT_MEMORY=2G "$glint" batch '' wide.ppm -o wide.jxl --backend cpu 2>.err) || status=$?
        check "no memory is no crash: status $status" test $status -eq 4
        says 'no memory to encode JPEG XL'
    fi
fi

# Values of fewer bits are made of strips, too.
{ printf 'P6\n2000 1500\n65535\n' && head -c 18000000 /dev/urandom; } >deep.ppm
gives 0 batch --bits 8 gaussian=2 deep.ppm -o narrow.tif --backend cpu
GLINT_MEMORY=20M run batch --bits 8 gaussian=2 deep.ppm -o strips.tif --backend cpu
check "in strips: status $status" test $status -eq 0
gives 0 compare narrow.tif strips.tif --at-most max=0

# An encoder's own memory counts once, however many pictures there are: here 3000 of 2 x 2.
frame='\x2c\0\0\0\0\x02\0\x02\0\0\x02\x03\x44\x02\x05\0'
{ printf 'GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff' && for i in {1..3000}; do printf "$frame"; done && printf ';'; } >frames.gif
for format in gif png tif; do
    GLINT_MEMORY=100M gives 0 batch invert frames.gif -o moving.$format --backend cpu
done

# Facts of inputs that outputs cannot hold are named once, and not with --quiet.
gives 0 batch '' small.ppm -o plain/ --backend cpu
refute "nothing is lost" grep -q 'not in all outputs' .err
{ printf '\x89PNG\r\n\x1a\n' && printf '\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55' &&
    printf '\0\0\0\x04gAMA\0\0\xb1\x8f\x0b\xfc\x61\x05' &&
    printf '\0\0\0\x0aIDAT\x78\x9c\x63\x68\0\0\0\x82\0\x81' && printf '\x77\xcd\x72\xb6' &&
    printf '\0\0\0\0IEND\xae\x42\x60\x82'; } >gamma.png
cp gamma.png gamma2.png
gives 0 batch '' gamma.png gamma2.png -o 'lost/{stem}.ppm' --backend cpu
check "said once" test "$(grep -c 'not in all outputs, though in their inputs: gamma and primaries (gAMA, cHRM)' .err)" -eq 1
gives 0 batch '' gamma.png gamma2.png -o 'lost2/{stem}.ppm' --backend cpu --quiet
lines 0 .err
gives 0 batch '' gamma.png small.ppm -o 'lost3/{stem}.ppm' --backend cpu --json lost.json -v
says '^gamma.png -> .* ms; left out: gamma and primaries'
says '^small.ppm -> .* ms$'
check "of which file" test "$(grep '"left_out":"gamma and primaries (gAMA, cHRM)"' lost.json | grep -c '"input":"gamma.png"')" -eq 1
check "of no other" test "$(grep -c left_out lost.json)" -eq 1
finish
