#!/usr/bin/env bash
# Chains whose results have another size than the picture.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
picture in.ppm 40 30 1
picture one.ppm 1 1 1
picture tall.ppm 1 200 1
size() { head -c 15 "$1" | tr '\n' ' ' | cut -d' ' -f2,3; }
becomes() { check "$2 is $1" test "$(size "$2")" = "$1"; } # WxH FILE

gives 0 batch resize=scale=0.5 in.ppm -o half.ppm "${cpu[@]}"
becomes "20 15" half.ppm
gives 0 batch resize=height=60 in.ppm -o wide.ppm "${cpu[@]}" --linear
becomes "80 60" wide.ppm
gives 0 batch resize=scale=100 one.ppm tall.ppm -o large/ "${cpu[@]}"
becomes "100 100" large/one.ppm
becomes "100 20000" large/tall.ppm
gives 0 batch gaussian=1,resize=10,pad=3,sharpen,crop=12:4,flip in.ppm -o all.ppm "${cpu[@]}"
becomes "12 4" all.ppm

# A picture that a chain does not fit fails, and the others go on.
gives 1 batch crop=10:10 in.ppm one.ppm -o parts/ "${cpu[@]}"
says "there are no columns 0 to 9 in a picture that is 1 wide"
becomes "10 10" parts/in.ppm
gives 3 batch resize=scale=0.5,difference in.ppm -o no.ppm "${cpu[@]}"
says "its second image is 40x30 with 3 channels, want 20x15 with 3"
gives 0 batch resize=scale=0.5,difference=half.ppm in.ppm -o black.ppm "${cpu[@]}"

# Results that memory cannot hold are refused before any is taken.
export GLINT_MEMORY=100m
gives 3 batch resize=scale=1000 in.ppm -o no.bmp "${cpu[@]}"
says "in.ppm: filtering it needs .* MiB of memory"
refute "nothing is written" test -e no.bmp
gives 3 batch resize=scale=1000,flip=vertical in.ppm -o no.ppm "${cpu[@]}"
says "in.ppm: filtering it, also in strips, needs .* MiB of memory"
gives 2 batch resize=10:scale=2 in.ppm -o no.ppm "${cpu[@]}"
gives 2 batch "pad=1:colour='1 2'" in.ppm -o no.ppm "${cpu[@]}"
refute "nothing is written" test -e no.ppm
finish
