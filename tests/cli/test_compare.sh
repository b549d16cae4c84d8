#!/usr/bin/env bash
# compare: its figures are those of scikit-image, numpy and flip-evaluator (compare/make.py), and its heat map is
# matplotlib's. Its exit status tells of differences, and it refuses unlike pictures.
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }
cases=$(cd "$OLDPWD" && realpath "$(dirname "$0")")/compare
a=$cases/colours-a.ppm b=$cases/colours-b.ppm

while read -r case; do
    gives 0 compare "$cases/$(jq -r .a <<<"$case")" "$cases/$(jq -r .b <<<"$case")" --json - -q
    cp .out got
    check "figures of $(jq -r .name <<<"$case")" jq -e --argjson want "$case" '. as $got
        | .equal == false and .passed and .at == $want.at and all("psnr", "ssim", "ncc", "max", "mean", "differing";
          . as $name | $got[$name] - $want[$name] | fabs < 1e-9 * ($want[$name] | fabs) + 1e-12)
        and all("flip", "flip_median", "flip_p95", "flip_max"; . as $name | $got[$name] - $want[$name] | fabs < 1e-4)' got >/dev/null
done <"$cases/figures.json"
says 'psnr +39\.9345 dB$'
gives 0 compare "$cases/colours-a.ppm" "$cases/mixed-b.ppm"
says 'colours-a\.ppm is u8, .*mixed-b\.ppm u16: compared in 16 bits, the former times 257'
tells 'largest difference +max +2069 at 3, 7$'
gives 0 compare "$cases/mixed-b.ppm" "$cases/colours-a.ppm"
says 'colours-a\.ppm is u8, .*mixed-b\.ppm u16'

GLINT_ISA=portable run compare "$cases/light-a.pfm" "$cases/light-b.pfm" --json - -q
check "FLIP without vectors" jq -e --argjson want "$(jq -c 'select(.name == "light").flip' "$cases/figures.json")" \
    '.flip - $want | fabs < 1e-4' .out >/dev/null

# Equal pictures have an infinite PSNR, which JSON has no number for.
gives 0 compare "$a" "$a" --json same.json --at-least psnr=1000,ssim=1,ncc=1 --at-most max=0,mean=0,differing=0
tells 'psnr +inf dB$'
tells 'max +0$'
json '.equal and .passed and .psnr == null and .ssim == 1 and .ncc == 1 and .max == 0 and has("at") == false' same.json

# The exit status.
gives 0 compare "$a" "$b" --at-least psnr=22.4,ssim=0.88,ncc=0.95 --at-most max=61,mean=16
refute "nothing is said" test -s .err
gives 1 compare "$a" "$b" --at-least psnr=22.4,ssim=0.89 --json failed.json
says '^glint: ssim is 0\.883616, want 0\.89 or more$'
lines 1 .err
json '.passed == false' failed.json
gives 1 compare "$a" "$b" -q --at-most max=60.5 --at-most differing=50
says '^glint: max is 61, want 60\.5 or less$'
says '^glint: differing is 100 %, want 50 or less$'
gives 1 compare "$a" "$b" --at-most flip=0.17,psnr=22
says '^glint: psnr is 22\.4238 dB, want 22 or less$'
says '^glint: flip is 0\.1759.., want 0\.17 or less$'
gives 0 compare "$a" "$b" --at-least flip=0.17 --at-most flip=0.18 # it differs visibly, but not too much
for wrong in ps=3 psnr psnr= psnr=x psnr=nan psnr=3, , ''; do
    gives 2 compare "$a" "$b" --at-least "$wrong"
done
says 'is no figure, want psnr, ssim, ncc, max, mean, differing, flip, flip_median, flip_p95 or flip_max'
for figure in flip_median flip_p95 flip_max; do
    gives 0 compare "$a" "$b" --at-most $figure=1
done

# The heat map.
gives 0 compare "$a" "$b" -o heat.ppm --gain 0
says 'heat\.ppm: the brightest stands for a difference of 255 or more'
gives 0 compare heat.ppm "$cases/colours-heat.ppm" --at-most max=10,mean=3
gives 0 compare "$a" "$b" -o bright.ppm
says 'the brightest stands for a difference of 63\.75 or more' # the largest one is 61
gives 0 compare bright.ppm "$cases/colours-heat-2.ppm" --at-most max=10,mean=3
gives 0 compare "$a" "$b" -o flip.ppm --map flip --ppd 20
says 'flip\.ppm: the brightest stands for an error of 1 or more'
gives 0 compare flip.ppm "$cases/colours-flip.ppm" --at-most max=10,mean=3
gives 2 compare "$a" "$b" --ppd 0
gives 0 compare "$a" "$b" -o - --quiet
check "a picture on stdout" test "$(head -c 4 .out | tail -c 3)" = PNG
gives 0 compare "$a" "$a" -o black.ppm
gives 0 compare black.ppm "$a" --at-most max=255
gives 2 compare "$a" "$b" -o heat.ppm
gives 0 compare "$a" "$b" -o heat.ppm --overwrite
cp "$a" own.ppm
gives 2 compare own.ppm "$b" -o own.ppm --overwrite
check "an input stays" cmp -s "$a" own.ppm
gives 4 compare "$a" "$b" -o nowhere/heat.ppm
gives 2 compare "$a" missing.ppm -o heat.xyz # before the pictures are looked for
says '^glint: -o heat.xyz: the extension names no format'
gives 2 compare "$a" missing.ppm -o heat.pfm
says 'PFM is written as f32x1,3'
gives 2 compare "$a" "$b" --map flip
says '^glint compare: --map: want -o FILE'
gives 2 compare "$a" "$b" --gain 1
says '^glint compare: --gain: want -o FILE'

# Pictures that cannot be compared, and choices of pictures.
gives 3 compare "$a" "$cases/wide-a.ppm"
says 'colours-a\.ppm is 20x13, .*wide-a\.ppm 14x9; want pictures of one size'
printf 'PF\n20 13\n-1\n' >real.pfm
head -c 3120 /dev/zero >>real.pfm
gives 3 compare real.pfm "$a"
says 'real\.pfm is f32x3, .*colours-a\.ppm u8x3; want pictures of one type'
printf 'P5\n20 13\n255\n' >gray.pgm
head -c 260 /dev/zero >>gray.pgm
gives 3 compare "$a" gray.pgm -o never.png
says 'u8x3, gray\.pgm u8x1; want pictures of one type'
refute "no heat map of that" test -e never.png
gives 0 compare gray.pgm gray.pgm --at-least ncc=1
cat gray.pgm gray.pgm >both.pgm
gives 0 compare gray.pgm both.pgm
says '^glint: both\.pgm holds several pictures: the first is compared$'
cp gray.pgm white.pgm
printf '\377' | dd of=white.pgm bs=1 seek=20 conv=notrunc 2>/dev/null
gives 1 compare gray.pgm white.pgm --at-least ncc=0.01 # one of them has a single value
says 'ncc is 0,'
gives 3 compare "$a" missing.ppm
says 'missing\.ppm'
gives 2 compare "$a"
gives 2 compare "$a" "$b" "$b"
gives 2 compare - -
says 'stdin holds one picture'
piped "$b" compare "$a" - --at-most max=61
check "from stdin" test "$status" -eq 0
# Without a window of 7 x 7 pixels, pictures that differ have no SSIM; equal ones have one.
printf 'P5 3 2 255\n\0\0\0\0\0\0' >small-a.pgm
printf 'P5 3 2 255\n\377\377\377\377\377\377' >small-b.pgm
gives 1 compare small-a.pgm small-b.pgm --at-least ssim=-1 --json small.json -q
says '^glint: ssim is undefined, want -1 or more$'
tells 'ssim +undefined$'
json '.ssim == null and .passed == false' small.json
gives 0 compare small-a.pgm small-a.pgm --at-least ssim=1
{ printf 'Pf\n8 8\n-1\n'; for ((i = 0; i < 64; i++)); do printf '\0\0\300\177'; done; } >nan.pfm
gives 0 compare nan.pfm nan.pfm --at-least psnr=99,ssim=1,ncc=1 --at-most max=0

# A file of several pictures gets a warning that only its first is compared.
if "$glint" list formats | grep -q '^gif .*loads'; then
    frame=',\0\0\0\0\1\0\1\0\0\2\2D\1\0'
    printf 'GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377'"$frame;" >one.gif
    printf 'GIF89a\1\0\1\0\200\0\0\0\0\0\377\377\377'"$frame$frame;" >two.gif
    gives 0 compare one.gif two.gif
    says '^glint: two\.gif holds several pictures: the first is compared$'
    lines 1 .err
fi
# Both RAW files are developed as the option says: the file within is of one colour, the developed picture is not.
if "$glint" list formats | grep -q '^raw .*loads'; then
    raw=$GLINT_SOURCE_DIR/tests/formats/raw-stands.dng
    gives 0 batch invert,invert "$raw" -o within.png --raw preview
    gives 0 compare "$raw" within.png --raw preview --at-most max=0
    gives 2 compare "$raw" "$raw" --raw best
    says 'quality, fast, half or preview'
fi
GLINT_MEMORY=3K run compare "$a" "$b"
check "no memory for it" test "$status" -eq 3
finish
