#!/usr/bin/env bash
# Filters that read another image besides the picture: their results, and that the other is an input as well.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
mkdir in
for i in 1 2 3; do picture in/$i.ppm 40 30 $i; done
picture other.ppm 40 30 9
picture small.ppm 8 8 1

gives 0 batch difference=other.ppm in -o out/ "${cpu[@]}"
holds out 1.ppm 2.ppm 3.ppm
gives 0 batch difference=other.ppm other.ppm -o black.ppm "${cpu[@]}"
check "an image is no way from itself" test "$(tail -c 3600 black.ppm | tr -d '\000' | wc -c)" -eq 0
gives 0 batch difference in/1.ppm -o same.ppm "${cpu[@]}"
check "without another: from what it was" test "$(tail -c 3600 same.ppm | tr -d '\000' | wc -c)" -eq 0
gives 0 batch "difference=file='other.ppm',gaussian=2" in -o out2/ "${cpu[@]}" --jobs 3

# The other image is an input: nothing is written there, whatever it is called.
cp other.ppm kept.ppm
gives 2 batch difference=other.ppm in/1.ppm -o other.ppm "${cpu[@]}" --overwrite
ln -s other.ppm link.ppm
gives 2 batch difference=other.ppm in/1.ppm -o link.ppm "${cpu[@]}" --overwrite
gives 2 batch difference=link.ppm in/1.ppm -o other.ppm "${cpu[@]}" --overwrite
gives 2 batch invert,difference=other.ppm in/1.ppm -o x.ppm "${cpu[@]}" --json other.ppm --overwrite
gives 2 batch blend=in/2.ppm:mask=other.ppm in/1.ppm -o other.ppm "${cpu[@]}" --overwrite
check "it is as it was" cmp -s kept.ppm other.ppm

# Tables of colours are inputs, too.
printf 'LUT_1D_SIZE 2\n1 1 1\n0 0 0\n' >look.ppm
cp look.ppm kept.cube
gives 0 batch lut=look.ppm,invert,difference in/1.ppm -o turned.ppm "${cpu[@]}"
check "turned twice, it is as it was" test "$(tail -c 3600 turned.ppm | tr -d '\000' | wc -c)" -eq 0
gives 2 batch lut=look.ppm in/1.ppm -o look.ppm "${cpu[@]}" --overwrite
check "the table is as it was" cmp -s kept.cube look.ppm
printf 'LUT_1D_SIZE 2\n1 1 1\n0 0 x\n' >bad.cube
gives 3 batch lut=bad.cube in/1.ppm -o no.ppm "${cpu[@]}"
says 'bad.cube: line 3'

# Chains that are refused.
gives 3 batch difference=missing.ppm in -o no/ "${cpu[@]}"
says missing.ppm
refute "nothing is written" test -e no
gives 3 batch difference=small.ppm in/1.ppm -o no.ppm "${cpu[@]}"
says "8x8"
gives 2 batch difference=other.ppm:3 in -o no/ "${cpu[@]}"
gives 0 trace spheres --size 40x30 --filter difference=other.ppm -o traced.ppm "${cpu[@]}"
gives 2 trace spheres --size 40x30 --filter difference=other.ppm -o other.ppm "${cpu[@]}" --overwrite
check "nor by a trace" cmp -s kept.ppm other.ppm
finish
