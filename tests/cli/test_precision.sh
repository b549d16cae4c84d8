#!/bin/bash
# test_precision.sh: values between filters as stored or as floats, and results of more bits.
. "$(dirname "$0")/lib.sh"

# levels FILE BYTES HEADER: how many values of so many bytes there are behind the header.
levels() { tail -c "+$(($3 + 1))" "$1" | od -An -v -w"$2" -tx1 | sort -u | wc -l; }

# A sky: 256 columns from dark to bright. The fourth power and its inverse leave 136 of the levels if both round.
{ printf 'P5\n256 4\n255\n'; for y in 1 2 3 4; do for x in {0..255}; do printf "\\$(printf %o "$x")"; done; done; } >sky.pgm
curves=gamma=0.25,gamma=4
gives 0 batch $curves sky.pgm -o stored.pgm --backend cpu --precision stored
check "as stored, the sky has bands" test "$(levels stored.pgm 1 13)" -eq 136
gives 0 batch $curves sky.pgm -o high.pgm --backend cpu --precision high --explain
tells 'precision: high$'
tells 'stage 1 gamma: point, power f32, power, level'
check "f32 keeps every level" cmp sky.pgm high.pgm

# auto, the default, says what it takes, and why. Functions of values become one table, which takes no longer.
gives 0 batch $curves sky.pgm -o auto.pgm --backend cpu --explain --json auto.json
tells 'precision: high, by auto: 2 roundings if stored; f32 is predicted to take 1.00 times as long$'
json 'select(.output == "auto.pgm") | .precision == "high" and .auto == {roundings: 2, times: 1}' auto.json
check "the same values" cmp high.pgm auto.pgm
gives 0 batch $curves sky.pgm -o apart.pgm --backend cpu --precision auto --no-fuse
check "the same without fusing" cmp auto.pgm apart.pgm
gives 0 batch gaussian=2 sky.pgm -o one.pgm --backend cpu --explain --json one.json
tells 'precision: stored, by auto: 1 rounding if stored$'
json 'select(.output == "one.pgm") | .precision == "stored" and .auto == {roundings: 1}' one.json
gives 0 batch gaussian=2,sharpen sky.pgm -o two.pgm --backend cpu --explain --json two.json
tells 'precision: stored, by auto: 2 roundings if stored; f32 is predicted to take [1-9][.][0-9]* times as long$'
json 'select(.output == "two.pgm") | .precision == "stored" and .auto.times > 1.1' two.json
gives 0 batch gamma=0.25,gamma=4,gaussian=1 sky.pgm -o three.pgm --backend cpu --explain
tells 'precision: points, by auto: 3 roundings if stored; '
gives 0 batch nlmeans,sharpen sky.pgm -o four.pgm --backend cpu --explain
tells 'precision: high, by auto: 2 roundings if stored; f32 is predicted to take 1[.]0[0-9] times as long$'
gives 0 batch nlmeans,sharpen sky.pgm -o named.pgm --backend cpu --precision high --json named.json
check "as if it were named" cmp four.pgm named.pgm
json 'select(.output == "named.pgm") | .precision == "high" and (has("auto") | not)' named.json
gives 2 batch '' sky.pgm -o no.pgm --precision low
says '^glint batch: --precision is "low", want stored, high or auto'

# 16 bits of a JPEG of 8 carry more than 256 levels; without filters, each byte is 257 times as much.
gives 0 batch resize=64:64 sky.pgm -o sky.jpg --quality 95
gives 0 batch resize=1024:64,gaussian=3 sky.jpg -o deep.tiff --bits 16 --backend cpu --explain
tells "precision: high, by auto: 3 roundings if stored; more bits than the picture.s\$"
gives 0 batch '' deep.tiff -o deep.pgm
check "a deep result has $(levels deep.pgm 2 17) levels" test "$(levels deep.pgm 2 17)" -gt 900
gives 0 batch '' sky.pgm -o wide.pgm --bits 16
check "bytes times 257" test "$(levels wide.pgm 2 15)" -eq 256
ends_with wide.pgm '254 254 255 255'
gives 0 batch --bits 8 '' wide.pgm -o back.pgm
check "and back" cmp sky.pgm back.pgm
finish
