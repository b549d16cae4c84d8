#!/usr/bin/env bash
# A filter bank of one's own: each tile is convolve's result for its mask; files that are none are refused.
. "$(dirname "$0")/lib.sh"
cpu=(--backend cpu)
{ # gray
    printf 'P5\n13 9\n255\n'
    for i in $(seq 117); do printf "\\x$(printf %x $(((i * 73 + i * i) % 251 + 4)))"; done
} >in.pgm
printf '# two masks\n0 -1 0\n-1 5 -1\n0 -1 0\n\n\n# the second\n1 2 1\n0 0 0 # nothing\n-1 -2 -1\n' >bank.txt
gives 0 batch bank=file=bank.txt:gain=1:step=1 in.pgm -o sheet.pgm "${cpu[@]}"
gives 0 batch crop=13:9:x=0:y=0 sheet.pgm -o first.pgm "${cpu[@]}"
gives 0 batch crop=13:9:x=13:y=0 sheet.pgm -o second.pgm "${cpu[@]}"
gives 0 batch 'convolve=0 -1 0 -1 5 -1 0 -1 0:bias=127.5' in.pgm -o want1.pgm "${cpu[@]}"
gives 0 batch 'convolve=1 2 1 0 0 0 -1 -2 -1:bias=127.5' in.pgm -o want2.pgm "${cpu[@]}"
check "the first tile" cmp first.pgm want1.pgm
check "the second tile" cmp second.pgm want2.pgm
printf '1 2\n3 4\n\n1 2 3\n4 5 6\n' >uneven.txt
gives 3 batch bank=file=uneven.txt in.pgm -o x.pgm "${cpu[@]}"
says 'mask 2 is 3x2, want 2x2'
printf '\n# nothing\n\n' >empty.txt
gives 3 batch bank=file=empty.txt in.pgm -o x.pgm "${cpu[@]}"
says 'empty.txt: no mask in it'
gives 3 batch bank=file=missing.txt in.pgm -o x.pgm "${cpu[@]}"
finish
