# test_draw.sh: what the window draws: every result, its pixels one by one, pictures larger than a texture.
source "$(dirname "$0")/lib.sh"

picture one.ppm 97 61 1
picture two.ppm 640 400 2
display -screen 0 1280x800x24

# Each result that a dragged slider computes is drawn: sigma moves by 40 % of its slider in 30 events, of which some lead
# to the value that is there.
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
# panels. Of the window, a part is looked at where no panel lies.
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

# Where the desktop asks for 192 dots per inch, texts are twice as large; the panel leaves the picture a place next to it,
# where its red and green halves are seen alike, and nothing lies on the help page, whose end can be reached.
mkdir home
printf 'Xft.dpi: 192\n' >home/.Xdefaults
{ printf 'P6\n64 64\n255\n' && for _ in $(seq 64); do printf '\377\0\0%.0s' {1..32} && printf '\0\377\0%.0s' {1..32}; done; } >halves.ppm
{ printf 'P6\n64 64\n255\n' && head -c $((64 * 64 * 3)) /dev/zero; } >black.ppm
usual=$HOME
export HOME=$PWD/home
script 0 'open halves.ppm' 'frames 1' 'screenshot large.png' 'key Tab' 'open black.ppm' 'key h' 'screenshot help.png' \
    'key h' 'key d' 'key h' 'screenshot difference.png' 'key PageDown' 'screenshot below.png' 'key PageDown' \
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
