# test_room.sh: the order of things over one another where there is little room: boxes over labels, columns that scroll,
# strips that wrap.
source "$(dirname "$0")/lib.sh"

picture one.ppm 97 61 1
display -screen 0 1280x800x24

# cut X Y WIDTH HEIGHT FILE...: that part of each FILE.png as FILE.ppm.
cut() {
    local part=crop=x=$1:y=$2:width=$3:height=$4 file
    shift 4
    for file; do
        run batch --quiet --overwrite "$part" "$file.png" -o "$file.ppm"
    done
}
# bytes FILE WIDTH HEIGHT: its pixels, a line each.
bytes() { tail -c $(($2 * $3 * 3)) "$1" | od -An -v -tu1 -w3; }

# A box that is opened, and the page of keys, lie over the words of a split, and over its line.
script 0 'size 640x400' 'key Tab' 'open one.ppm' 'filter invert' 'split' 'key A' 'key Esc' 'filter gaussian=2,sharpen' \
    'screenshot labels.png' 'key h' 'screenshot help.png' 'key h' 'split' 'key h' 'screenshot bare.png' quit
cut 100 20 300 12 labels help bare
refute "the split has words there" cmp -s labels.ppm bare.ppm
checks=$((checks + 1)) # through its ground something shines
paste -d ' ' <(bytes help.ppm 300 12) <(bytes bare.ppm 300 12) |
    awk '($1 - $4) ^ 2 > 1600 { n++ } END { exit n > 0 || NR != 3600 }' || complain "words shine through the page of keys"

# A text longer than its side is cut: no word goes beyond the window, nor across the line.
chain=gaussian=2.125,gaussian=2.375,gaussian=2.625,gaussian=2.875,gaussian=3.125,gaussian=3.375
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'split' 'split-at 0.8' 'screenshot cut.png' quit
cut 630 30 10 20 cut
checks=$((checks + 1))
[ "$(bytes cut.ppm 10 20 | sort -u | wc -l)" -eq 1 ] || complain "words go up to the window's edge"

# Columns that are higher than the window show how far they are scrolled, and where.
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'frames 2' 'screenshot column.png' 'filter' 'frames 2' \
    'screenshot short.png' quit
cut 349 60 3 300 column
cut 349 60 3 100 short
check "the column shows that it can be scrolled" [ "$(bytes column.ppm 3 300 | sort -u | wc -l)" -gt 1 ]
check "the short one cannot" [ "$(bytes short.ppm 3 100 | sort -u | wc -l)" -eq 1 ]

# The strip keeps within the window, and an opened panel lies below it.
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'overlay' 'overlay' 'frames 2' 'screenshot strip.png' 'histogram' 'frames 2' \
    'screenshot opened.png' quit
cut 632 22 8 330 strip
cut 300 38 280 12 strip opened
same strip.ppm opened.ppm

# Words along the picture's top stand below a strip that goes so far: dark words on a white picture.
{ printf 'P5\n64 40\n255\n' && head -c 2560 /dev/zero | tr '\0' '\377'; } >white.pgm
script 0 'size 640x400' 'open white.pgm' 'filter brightness=0' 'overlay' 'overlay' 'screenshot plain.png' 'split' 'screenshot words.png' quit
cut 200 142 100 40 plain words
check "it is white below the strip" [ "$(bytes plain.ppm 100 40 | awk '$1 < 100' | wc -l)" -eq 0 ]
check "there is the pill" [ "$(bytes words.ppm 100 40 | awk '$1 < 100' | wc -l)" -gt 500 ]

# The page of commands keeps within the window: at its right nothing changes.
script 0 'size 640x400' 'scene lattice=n=3' 'frames 1' 'screenshot scene.png' 'welcome' 'frames 1' 'screenshot page.png' quit
cut 560 60 70 200 scene page
same page.ppm scene.ppm
refute "the page is there" cmp -s page.png scene.png

# A thumbnail of a picture that is two hundred times as wide as high is a line: white.
{ printf 'P5\n4000 8\n255\n' && head -c 32000 /dev/zero | tr '\0' '\377'; } >line.pgm
script 0 'open line.pgm' 'thumbnails' 'frames 1' 'wait 1' 'screenshot line.png' quit
cut 380 640 880 80 line
check "the thumbnail is there" [ "$(bytes line.ppm 880 80 | awk '$1 == 255' | wc -l)" -gt 60 ]

# The tour's dots, of which the first is blue, stand above its title where both have no room on a line.
script 0 'size 640x400' 'tour' 'frames 1' 'screenshot tour.png' quit
cut 380 150 240 40 tour
checks=$((checks + 1))
bytes tour.ppm 240 40 | awk '{ row = int((NR - 1) / 240) } $3 > 200 && $1 < 120 { dot[row] = 1 }
    $1 > 190 && $2 > 190 && $3 > 190 { word[row] = 1 }
    END { for (row in dot) { dots++; wrong += word[row] } exit !(dots > 2 && dots < 10 && wrong == 0) }' ||
    complain "the tour's dots lie on its title"

# Values stand in the pixels of the kept picture, as they do where that is shown alone; also side by side.
script 0 'open one.ppm' 'filter invert' 'view 380 0 64' 'screenshot alone.png' 'keep' 'filter brightness=20' \
    'split-at 0.7' 'screenshot kept.png' 'side-by-side' 'view 837 0 64' 'screenshot sides.png' quit
cut 380 128 384 256 alone kept sides
checks=$((checks + 1))
[ "$(bytes alone.ppm 384 256 | sort -u | wc -l)" -gt 60 ] || complain "there are no values in the pixels"
same kept.ppm alone.ppm
same sides.ppm alone.ppm
finish
