# test_draw.sh: the window's drawing: every result, its pixels one by one, pictures larger than a texture.
source "$(dirname "$0")/lib.sh"

picture one.ppm 97 61 1
picture two.ppm 640 400 2
display -screen 0 1280x800x24

# Each result that a dragged slider computes is drawn. sigma moves by 40 % of its slider in 30 events, and some of these
# change nothing.
script 0 'open two.ppm' 'filter gaussian=2' 'frames 3' 'draws' 'drag sigma 20 60 30' 'draws' quit
tells '^draws [0-9]+ results 3 shown 3 '
tells '^draws [0-9]+ results (1[0-9]|2[0-9]|3[0-2]) shown \1 '
script 2 'open one.ppm' 'filter gaussian=2' 'frames 1' 'drag amount 20 60 30'
says 'drag amount: no slider of this name is shown'

# In a window of the picture's size, at one to one, the window is the picture, whatever its type.
gives 0 batch --quiet grayscale one.ppm -o gray.ppm
script 0 'size 97x61' 'key Tab' 'open one.ppm' 'key r' 'frames 2' 'screenshot a.png' 'open gray.ppm' 'key r' \
    'screenshot b.png' 'filter invert' 'screenshot c.png' quit
gives 0 batch --quiet invert gray.ppm -o inverted.ppm
run batch --quiet --overwrite "" a.png -o a.ppm
same a.ppm one.ppm
for pair in b:gray c:inverted; do
    run batch --quiet --overwrite "" "${pair%:*}.png" -o "${pair%:*}.ppm"
    run batch --quiet --overwrite grayscale "${pair#*:}.ppm" -o want.ppm
    run batch --quiet --overwrite grayscale "${pair%:*}.ppm" -o got.ppm
    same got.ppm want.ppm
done

# A channel alone, gamma and false colour are as formulas say, within one; black and white are striped.
# The line that says so lies outside of the picture.
# pixels FILE: a line for each, after the head of a PPM.
pixels() { tail -c $((97 * 61 * 3)) "$1" | od -An -v -tu1 -w3; }
# near NAME FORMULA: NAME.png shows the values that awk makes of $1, $2, $3 of one.ppm, as r, g and b.
near() {
    run batch --quiet --overwrite crop=x=151:y=119:width=97:height=61 "$1.png" -o near.ppm
    checks=$((checks + 1))
    paste -d ' ' <(pixels one.ppm) <(pixels near.ppm) | awk "
        function off(want, got) { want = want < 0 ? 0 : want > 255 ? 255 : want; return (want - got) ^ 2 > 1.2 }
        { $2 } off(r, \$4) || off(g, \$5) || off(b, \$6) { n++ } END { exit n > 0 || NR != 97 * 61 }" ||
        complain "$1 is not as computed"
}
script 0 'size 400x300' 'key Tab' 'open one.ppm' 'key r' 'key C' 'screenshot red.png' 'key C' 'key C' 'key C' \
    'screenshot luma.png' 'key F' 'screenshot viridis.png' 'key r' 'key y' 'key y' 'key y' 'screenshot gamma.png' \
    'key r' 'screenshot plain.png' quit
near red 'r = g = b = $1'
near luma 'r = g = b = 0.2126 * $1 + 0.7152 * $2 + 0.0722 * $3'
near gamma 'r = 255 * ($1 / 255) ^ (1 / 1.3); g = 255 * ($2 / 255) ^ (1 / 1.3); b = 255 * ($3 / 255) ^ (1 / 1.3)'
near plain 'r = $1; g = $2; b = $3'
script 0 'size 400x300' 'key Tab' 'open one.ppm' 'key r' 'change-tone gamma=1.3' 'screenshot toned.png' quit
same toned.png gamma.png
near viridis 't = (0.2126 * $1 + 0.7152 * $2 + 0.0722 * $3) / 255
    r = 255 * ((((((-5.4354559 * t + 4.7763850) * t + 6.2282699) * t - 4.6342305) * t - 0.3308618) * t + 0.1050930) * t + 0.2777273)
    g = 255 * ((((((4.6458526 * t - 13.7451454) * t + 14.1799334) * t - 5.7991010) * t + 0.2148476) * t + 1.4046135) * t + 0.0054073)
    b = 255 * ((((((26.3124352 * t - 65.3530326) * t + 56.6905526) * t - 19.3324410) * t + 0.0950952) * t + 1.3845902) * t + 0.3340998)'

# A difference is a heat map of its largest channel, from black (inferno); or in its colours. Either has a gain.
script 0 'size 400x300' 'key Tab' 'open one.ppm' 'filter invert' 'difference' 'key r' 'key e' 'screenshot heat.png' \
    'difference-view colours' 'screenshot colours.png' 'fit-gain' 'screenshot fitted.png' quit
near heat 'd1 = ($1 - 127.5) ^ 2; d2 = ($2 - 127.5) ^ 2; d3 = ($3 - 127.5) ^ 2; d = d1 > d2 ? d1 : d2; d = d > d3 ? d : d3
    t = 2 * sqrt(d) / 255 * sqrt(2); t = t > 1 ? 1 : t
    r = 255 * ((((((25.1311262 * t - 71.3194282) * t + 77.1629357) * t - 41.7039961) * t + 11.6024931) * t + 0.1065134) * t + 0.0002189)
    g = 255 * ((((((-12.2426690 * t + 32.6260643) * t - 33.4023589) * t + 17.4363989) * t - 3.9728540) * t + 0.5639564) * t + 0.0016510)
    b = 255 * ((((((-23.0703250 * t + 73.2095199) * t - 81.8073093) * t + 44.3541452) * t - 15.9423941) * t + 3.9327124) * t - 0.0194809)'
near colours 'r = 2 * sqrt(2) * sqrt(($1 - 127.5) ^ 2); g = 2 * sqrt(2) * sqrt(($2 - 127.5) ^ 2); b = 2 * sqrt(2) * sqrt(($3 - 127.5) ^ 2)'
near fitted 'r = 2 * sqrt(($1 - 127.5) ^ 2); g = 2 * sqrt(($2 - 127.5) ^ 2); b = 2 * sqrt(($3 - 127.5) ^ 2)'
{ printf 'P6\n97 61\n255\n' && head -c $((97 * 60 * 3)) /dev/zero | tr '\0' '\200' && printf '\0\0\0%.0s' {1..48} && printf '\377\0\0%.0s' {1..49}; } >ends.ppm
script 0 'size 400x300' 'key Tab' 'open ends.ppm' 'key r' 'key z' 'screenshot zebra.png' quit
run batch --quiet --overwrite crop=x=151:y=119:width=97:height=61 zebra.png -o near.ppm
checks=$((checks + 1))
[ "$(pixels near.ppm | sort | uniq -c | awk '{ print $2, $3, $4 }' | tr '\n' ',')" = '0 0 0,51 115 255,128 128 128,255 0 0,255 64 51,' ] ||
    complain "the zebra has $(pixels near.ppm | sort | uniq -c)"

# A split has the picture at its left, and the result at its right. Its line, handle and words lie within 20 pixels of
# it, or above the picture. Magnified by 3, each pixel is a square; between whole scales they are mixed at edges alone.
script 0 'size 400x300' 'key Tab' 'open one.ppm' 'filter invert' 'split' 'view 151 119 1' 'split-at 0.5' 'screenshot split.png' \
    'split' 'filter' 'view 7 5 3' 'screenshot thrice.png' quit
run batch --quiet --overwrite crop=x=151:y=119:width=97:height=61 split.png -o split.ppm
checks=$((checks + 1))
paste -d ' ' <(pixels one.ppm) <(pixels split.ppm) | awk '
    { x = 151 + (NR - 1) % 97 }
    x < 180 { left++; if ($1 != $4 || $2 != $5 || $3 != $6) wrong++ }
    x > 220 { right++; if ($1 + $4 != 255 || $2 + $5 != 255 || $3 + $6 != 255) wrong++ }
    END { exit !(left > 1000 && right > 1000 && wrong == 0) }' || complain "the split is not as computed"
run batch --quiet --overwrite crop=x=7:y=5:width=291:height=183 thrice.png -o thrice.ppm
checks=$((checks + 1))
paste -d ' ' <(tail -c $((291 * 183 * 3)) thrice.ppm | od -An -v -tu1 -w3) \
    <(pixels one.ppm | awk '{ row = row $0 "\n" $0 "\n" $0 "\n" } NR % 97 == 0 { printf "%s%s%s", row, row, row; row = "" }') |
    awk '$1 != $4 || $2 != $5 || $3 != $6 { wrong++ } END { exit !(NR == 291 * 183 && wrong == 0) }' ||
    complain "the picture is not three times as large"

# Side by side, before at the left and after at the right, both in the middle of their halves.
script 0 'size 400x300' 'key Tab' 'open one.ppm' 'filter invert' 'side-by-side' 'key r' 'screenshot sides.png' quit
for side in 51 251; do
    run batch --quiet --overwrite "crop=x=$side:y=119:width=97:height=61" sides.png -o side$side.ppm
done
run batch --quiet --overwrite invert one.ppm -o inverted.ppm
same side51.ppm one.ppm
same side251.ppm inverted.ppm

# The picture has half of its pixels 64, a quarter 192 and a quarter 255. Its histogram has three bars of these heights,
# at these places. They have a colour of their own; the largest is as high as the chart.
{ printf 'P5\n64 64\n255\n' && head -c 2048 /dev/zero | tr '\0' '\100' && head -c 1024 /dev/zero | tr '\0' '\300' &&
    head -c 1024 /dev/zero | tr '\0' '\377'; } >bars.pgm
script 0 'size 1280x800' 'open bars.pgm' 'key H' 'key Tab' 'key Tab' 'screenshot bars.png' 'key L' 'key L' \
    'screenshot sums.png' quit
# heights FILE: for each run of columns with the bars' colour: where it begins and ends, and how high it is.
heights() {
    run batch --quiet --overwrite crop=x=890:y=0:width=390:height=400 "$1" -o chart.ppm
    tail -c $((390 * 400 * 3)) chart.ppm | od -An -v -tu1 -w3 | awk '
        $1 == 168 && $2 == 174 && $3 == 184 { high[(NR - 1) % 390]++ }
        END { for (x = 0; x <= 390; x++) if (high[x] != high[x - 1]) {
            if (high[x - 1] > 3) printf "%d %d %d\n", from, x, high[x - 1]; from = x } }'
}
heights bars.png >bars.txt
checks=$((checks + 1))
awk '{ from[NR] = $1; to[NR] = $2; high[NR] = $3 }
    function near(a, b) { return (a - b) ^ 2 <= 4 }
    END { size = (to[3] - from[1]) / (1 - 64 / 256) # of the whole chart, whose right end is that of the last bar
          left = to[3] - size
          exit !(NR == 3 && near(from[1], left + size * 64 / 256) && near(from[2], left + size * 192 / 256) &&
                 near(2 * high[2], high[1]) && near(high[2], high[3]) && high[1] > 80) }' bars.txt ||
    complain "the bars are $(tr '\n' ',' <bars.txt)"
heights sums.png >sums.txt # 0.5 from 64 on, 0.75 from 192 on, 1 at 255
checks=$((checks + 1))
awk 'FNR == NR { full = FNR == 1 ? $3 : full; next } { high[FNR] = $3 }
    function near(a, b) { return (a - b) ^ 2 <= 4 }
    END { exit !(near(high[1], full / 2) && near(high[2], full * 3 / 4) && near(high[3], full)) }' bars.txt sums.txt ||
    complain "the sums are $(tr '\n' ',' <sums.txt)"

# Magnified by a whole number, pixels are squares of one colour; by half as much again, they are mixed at their edges.
picture small.ppm 80 70 3
script 0 'size 160x140' 'key Tab' 'open small.ppm' 'key f' 'screenshot twice.png' 'size 120x105' \
    'screenshot wider.png' quit
run batch --quiet --overwrite "" twice.png -o twice.ppm
{
    printf 'P6\n160 140\n255\n'
    tail -c $((80 * 70 * 3)) small.ppm | od -An -v -tx1 -w3 | awk '{ line = line $0 $0 }
        NR % 80 == 0 { print line; print line; line = "" }' | tr -d ' \n' | tr a-f A-F | basenc --base16 -d
} >want.ppm
same twice.ppm want.ppm
shown wider.png 120 105

# Where a pixel takes 32 of the window's and more, its values are written in it: black on white, and nothing without
# panels. The test looks at a part of the window where no panel lies.
{ printf 'P6\n4 4\n255\n' && head -c 48 /dev/zero | tr '\0' '\377'; } >white.ppm
script 0 'size 640x640' 'key Tab' 'open white.ppm' 'key f' 'screenshot bare.png' 'key Tab' \
    'screenshot values.png' quit
for name in bare values; do
    run batch --quiet --overwrite "" $name.png -o $name.ppm
done
dark() { tail -c $((640 * 640 * 3)) "$1" | od -An -v -tu1 -w3 | awk '
    { x = (NR - 1) % 640; y = int((NR - 1) / 640) }
    x > 330 && y > 330 && y < 550 && $1 + $2 + $3 < 300 { n++ }
    END { print n + 0 }'; }
checks=$((checks + 1))
[ "$(dark bare.ppm)" -eq 0 ] && [ "$(dark values.ppm)" -gt 100 ] || complain "$(dark bare.ppm) and $(dark values.ppm) dark"

# A picture that no texture holds is shown all the same: all of it, and its pixels one by one. 65535 is more than any.
{ printf 'P6\n65535 8\n255\n' && yes 'what is far to the right is there, too' | head -c $((65535 * 8 * 3)); } >wide.ppm
script 0 'size 800x600' 'open wide.ppm' 'screenshot fitted.png' 'key r' 'screenshot actual.png' 'key d' \
    'screenshot none.png' quit
shown fitted.png 800 600
shown actual.png 800 600
refute "its pixels are drawn" cmp -s actual.png fitted.png
refute "the difference is drawn" cmp -s actual.png none.png

# The window's thread leaves long reductions to others. It averages none of a picture's 24 million pixels itself. The
# 200x150 pixels of a small one are quicker done than handed over.
{ printf 'P6\n6000 4000\n255\n' && yes 'stripes' | head -c $((6000 * 4000 * 3)); } >large.ppm
picture some.ppm 200 150 5
script 0 'size 640x400' 'open large.ppm' 'frames 2' 'draws' 'key +' 'frames 2' 'draws' 'size 160x120' 'open some.ppm' 'frames 2' \
    'draws' quit
rm large.ppm
checks=$((checks + 1))
awk '/^draws/ { averaged[++k] = $20 } END { exit !(k == 3 && averaged[1] == 0 && averaged[2] == 0 && averaged[3] >= 30000) }' .out ||
    complain "the window's thread averages $(tr '\n' '|' <.out)"

# Its own work counts: a draw of 33 megapixels in software takes longer than 20 ms. The thread computes no longer than the clock
# on the wall goes.
script 0 'open one.ppm' 'size 7680x4320' 'frames 1' 'draws' 'frames 2' 'draws' 'wait 0.1' 'size 640x480' 'frames 1' 'draws' \
    'wait 0.5' 'draws' 'wait 0.1' 'draws' quit
checks=$((checks + 1))
awk '/^draws/ { stalls[++k] = $14; longer += $16 > $12 + 1 } END { exit !(k == 5 && stalls[2] >= 2 && !longer) }' .out ||
    complain "stalls are $(tr '\n' '|' <.out)"

# Where the desktop asks for 192 dots per inch, texts are twice as large. The panel leaves the picture a place next to
# it, where its red and green halves are seen alike. Nothing lies on the help page, whose end can be reached.
mkdir home
printf 'Xft.dpi: 192\n' >home/.Xdefaults
{ printf 'P6\n64 64\n255\n' && for _ in $(seq 64); do printf '\377\0\0%.0s' {1..32} && printf '\0\377\0%.0s' {1..32}; done; } >halves.ppm
{ printf 'P6\n64 64\n255\n' && head -c $((64 * 64 * 3)) /dev/zero; } >black.ppm
usual=$HOME
export HOME=$PWD/home
script 0 'open halves.ppm' 'frames 1' 'screenshot large.png' 'key Tab' 'open black.ppm' 'key h' 'screenshot help.png' \
    'key h' 'key d' 'key h' 'screenshot difference.png' 'key PageDown' 'screenshot below.png' 'key End' \
    'screenshot end.png' 'key PageDown' 'screenshot again.png' quit
export HOME=$usual
for name in large help difference below end again; do
    run batch --quiet --overwrite "" $name.png -o $name.ppm
done
colours() { tail -c $((1280 * 800 * 3)) large.ppm | od -An -v -tx1 -w3 | grep -c "^ $1\$"; }
red=$(colours 'ff 00 00') green=$(colours '00 ff 00')
checks=$((checks + 1))
[ "$red" -gt 10000 ] && [ "$green" -eq "$red" ] || complain "at 192 dpi $red red and $green green pixels are seen"
same difference.ppm help.ppm
refute "help can be scrolled" cmp -s below.ppm help.ppm
same again.ppm end.ppm
finish
