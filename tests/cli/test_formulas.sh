#!/usr/bin/env bash
# The filter expr: formulas with sliders, results of their own for colours, faults with their columns. Formulas make
# identity pictures for the filter haldclut.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
picture in.ppm 40 30

gives 0 batch "expr='1 - v'" in.ppm -o negative.ppm "${cpu[@]}"
gives 0 batch invert in.ppm -o inverted.ppm "${cpu[@]}"
check "1 - v is the negative" cmp -s negative.ppm inverted.ppm
gives 0 batch "expr='g; b; r'" in.ppm -o turned.ppm "${cpu[@]}"
gives 0 batch "matrix=0 1 0;0 0 1;1 0 0" in.ppm -o mixed.ppm "${cpu[@]}"
check "three results are colours" cmp -s turned.ppm mixed.ppm
gives 0 batch "expr='p1 * v + p2':p1=0.5:p2=0.25" in.ppm -o sliders.ppm "${cpu[@]}"
gives 0 batch contrast=0.5 in.ppm -o contrast.ppm "${cpu[@]}"
check "sliders have values" cmp -s sliders.ppm contrast.ppm
for level in reference rows; do
    gives 0 batch "expr='noise(1) * smoothstep(0, w, x) + 0.5 * sin(y)'" in.ppm -o $level.ppm "${cpu[@]}" --level $level
done
check "levels agree" cmp -s reference.ppm rows.ppm

gives 2 batch "expr='max(r'" in.ppm -o no.ppm "${cpu[@]}"
says "column 6: want ',' or ')'"
gives 2 batch "expr=min(r,g)" in.ppm -o no.ppm "${cpu[@]}"
gives 2 batch "expr='r + red'" in.ppm -o no.ppm "${cpu[@]}"
says 'column 5: no value "red"'
gives 2 batch "expr='r; g'" in.ppm -o no.ppm "${cpu[@]}"
says '2 results; want one, three or four'
refute "nothing is written" test -e no.ppm

# Identity pictures of levels 2, 4 and 8: of 16 bits they change nothing, of 8 bits a value at most by one.
identity="expr='n = p1 * p1; i = y * w + x; mod(i, n) / (n - 1); mod(floor(i / n), n) / (n - 1); floor(i / n / n) / (n - 1)'"
for level in 2 4 8; do
    side=$((level * level * level))
    { printf 'P6 %d %d 65535\n' $side $side; head -c $((6 * side * side)) /dev/zero; } >canvas.ppm
    gives 0 batch "$identity:p1=$level" canvas.ppm -o wide.png "${cpu[@]}" --overwrite
    gives 0 batch haldclut=wide.png in.ppm -o same.ppm "${cpu[@]}" --overwrite
    check "level $level of 16 bits" cmp -s same.ppm in.ppm
    { printf 'P6 %d %d 255\n' $side $side; head -c $((3 * side * side)) /dev/zero; } >canvas.ppm
    gives 0 batch "$identity:p1=$level" canvas.ppm -o narrow.png "${cpu[@]}" --overwrite
    gives 0 batch "haldclut=narrow.png,difference,threshold=0.5" in.ppm -o off.ppm "${cpu[@]}" --overwrite
    check "level $level of 8 bits" test "$(tail -c 3600 off.ppm | tr -d '\000' | wc -c)" -eq 0
done
gives 0 batch invert wide.png -o turned.png "${cpu[@]}"
gives 0 batch haldclut=turned.png in.ppm -o negative2.ppm "${cpu[@]}"
check "an inverted identity inverts" cmp -s negative2.ppm negative.ppm
gives 3 batch haldclut=in.ppm in.ppm -o no.ppm "${cpu[@]}"
says '40x30'
gives 3 batch whitebalance=at=40x3 in.ppm -o no.ppm "${cpu[@]}"
says 'at=40x3 lies beyond the picture, which is 40x30'
gives 2 batch whitebalance=at=middle in.ppm -o no.ppm "${cpu[@]}"
says 'at=middle is no place, want one as 120x80'
finish
