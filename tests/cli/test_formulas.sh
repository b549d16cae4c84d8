#!/usr/bin/env bash
# The filter expr: formulas with sliders, results of their own for colours, faults with their columns.
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
finish
