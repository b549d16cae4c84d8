# test_room.sh: the order of things over one another where there is little room: boxes over labels, columns that scroll,
# strips that wrap.
source "$(dirname "$0")/lib.sh"
assets=$(realpath "$(dirname "$0")/../../assets")

picture one.ppm 97 61 1
display -screen 0 1920x800x24

# bytes FILE WIDTH HEIGHT: its pixels, a line each.
bytes() { tail -c $(($2 * $3 * 3)) "$1" | od -An -v -tu1 -w3; }

# A box that is opened, and the page of keys, lie over the words of a split, and over its line.
script 0 'size 640x400' 'key Tab' 'open one.ppm' 'filter invert' 'split' 'key A' 'key Esc' 'filter gaussian=2,sharpen' \
    'screenshot labels.png' 'key h' 'screenshot help.png' 'key h' 'split' 'key h' 'screenshot bare.png' quit
area 100 20 300 12 labels help bare
refute "the split has words there" cmp -s labels.ppm bare.ppm
checks=$((checks + 1)) # through its ground something shines
paste -d ' ' <(bytes help.ppm 300 12) <(bytes bare.ppm 300 12) |
    awk '($1 - $4) ^ 2 > 1600 { n++ } END { exit n > 0 || NR != 3600 }' || complain "words shine through the page of keys"

# A text longer than its side is cut: no word goes beyond the window, nor across the line.
chain=gaussian=2.125,gaussian=2.375,gaussian=2.625,gaussian=2.875,gaussian=3.125,gaussian=3.375
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'split' 'split-at 0.8' 'screenshot cut.png' quit
area 630 30 10 20 cut
checks=$((checks + 1))
[ "$(bytes cut.ppm 10 20 | sort -u | wc -l)" -eq 1 ] || complain "words go up to the window's edge"

# Columns that are higher than the window show how far they are scrolled, and where.
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'frames 2' 'screenshot column.png' 'filter' 'frames 2' \
    'screenshot short.png' quit
area 349 60 3 300 column
area 349 60 3 100 short
check "the column shows that it can be scrolled" [ "$(bytes column.ppm 3 300 | sort -u | wc -l)" -gt 1 ]
check "the short one cannot" [ "$(bytes short.ppm 3 100 | sort -u | wc -l)" -eq 1 ]

# The strip keeps within the window, and an opened panel lies below it.
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'overlay' 'overlay' 'frames 2' 'screenshot strip.png' 'histogram' 'frames 2' \
    'screenshot opened.png' quit
area 632 22 8 330 strip
area 300 38 280 12 strip opened
same strip.ppm opened.ppm

# Words along the picture's top stand below a strip that goes so far: dark words on a white picture.
{ printf 'P5\n64 40\n255\n' && head -c 2560 /dev/zero | tr '\0' '\377'; } >white.pgm
script 0 'size 640x400' 'open white.pgm' 'filter brightness=0' 'overlay' 'overlay' 'screenshot plain.png' 'split' 'screenshot words.png' quit
area 200 147 100 40 plain words
check "it is white below the strip" [ "$(bytes plain.ppm 100 40 | awk '$1 < 100' | wc -l)" -eq 0 ]
check "there is the pill" [ "$(bytes words.ppm 100 40 | awk '$1 < 100' | wc -l)" -gt 500 ]

# The page of commands keeps within the window: at its right nothing changes.
script 0 'size 640x400' 'scene lattice=n=3' 'frames 1' 'screenshot scene.png' 'welcome' 'frames 1' 'screenshot page.png' quit
area 560 60 70 200 scene page
same page.ppm scene.ppm
refute "the page is there" cmp -s page.png scene.png

# A thumbnail of a picture that is two hundred times as wide as high is a line: white.
{ printf 'P5\n4000 8\n255\n' && head -c 32000 /dev/zero | tr '\0' '\377'; } >line.pgm
script 0 'open line.pgm' 'thumbnails' 'frames 1' 'wait 1' 'screenshot line.png' quit
area 380 640 880 80 line
check "the thumbnail is there" [ "$(bytes line.ppm 880 80 | awk '$1 == 255' | wc -l)" -gt 60 ]

# The tour's dots, of which the first is blue, stand above its title where both have no room on a line.
script 0 'size 640x400' 'tour' 'frames 1' 'screenshot tour.png' quit
area 380 142 240 40 tour
checks=$((checks + 1))
bytes tour.ppm 240 40 | awk '{ row = int((NR - 1) / 240) } $3 > 200 && $1 < 120 { dot[row] = 1 }
    $1 > 190 && $2 > 190 && $3 > 190 { word[row] = 1 }
    END { for (row in dot) { dots++; wrong += word[row] } exit !(dots > 2 && dots < 10 && wrong == 0) }' ||
    complain "the tour's dots lie on its title"

# Values stand in the pixels of the kept picture, as they do where that is shown alone; also side by side.
script 0 'open one.ppm' 'filter invert' 'view 380 0 64' 'screenshot alone.png' 'keep' 'filter brightness=20' \
    'split-at 0.7' 'screenshot kept.png' 'side-by-side' 'view 837 0 64' 'screenshot sides.png' quit
area 380 128 384 256 alone kept sides
checks=$((checks + 1))
[ "$(bytes alone.ppm 384 256 | sort -u | wc -l)" -gt 60 ] || complain "there are no values in the pixels"
same kept.ppm alone.ppm
same sides.ppm alone.ppm
# A scene's second column keeps no place for the figures of the picture before it: rows begin at its top, also before the
# first sample.
script 0 'size 1800x800' 'open one.ppm' 'filter gaussian=2' 'frames 20' 'wait 1' 'record film/' \
    "open $assets/scenes/globes.scene" 'pointer 600 300' 'pointer 610 300' 'stop-recording' quit
for frame in film/*.png; do
    area 1500 45 250 60 "${frame%.png}"
    checks=$((checks + 1))
    [ "$(bytes "${frame%.png}.ppm" 250 60 | awk '$1 > 100' | wc -l)" -gt 20 ] || complain "$frame: the column is empty"
done

# The parts of a colour share a line with its swatch, which is light here, and ends where the menu below it does.
script 0 'size 1280x800' 'scene spheres=count=9:seed=3' 'look normals' 'frames 3' 'click 800 400' 'frames 3' 'screenshot colour.png' quit
area 312 100 16 400 colour
check "the swatch stands at the line's end" \
    [ "$(bytes colour.ppm 16 400 | awk '$1 > 120 && $2 > 120' | sort | uniq -c | awk '$1 > most { most = $1 } END { print most }')" -ge 256 ]

# A list that a key opens comes in sight, below a chain that fills the column, and unfolded.
script 0 'size 640x400' 'open one.ppm' "filter $chain" 'frames 2' 'screenshot before.png' 'list-edits' 'frames 2' \
    'screenshot listed.png' 'fold edits' 'frames 1' 'list-edits' 'frames 1' 'list-edits' 'frames 2' 'screenshot again.png' quit
area 20 40 320 340 before listed again
refute "the column scrolls to the list" cmp -s before.ppm listed.ppm
same again.ppm listed.ppm
finish

# A scene in perspective fills all that the column leaves free, up to its edges; without the column, all of the window.
many() { check "$1 has a picture" [ "$(bytes "$1.ppm" "$2" "$3" | sort -u | wc -l)" -gt 50 ]; }
plain() { check "$1 is one colour" [ "$(bytes "$1.ppm" "$2" "$3" | sort -u | wc -l)" -eq 1 ]; }
script 0 'size 1280x800' 'scene packed' 'frames 2' 'screenshot edge.png' 'key Tab' 'frames 2' 'screenshot bare.png' quit
area 0 60 10 700 edge
plain edge 10 700
area 357 60 9 700 edge
plain edge 9 700
area 369 60 10 700 edge bare
many edge 10 700
area 0 60 10 700 bare
many bare 10 700

# The chip under a look without light shows it.
script 0 'size 1280x800' 'scene spheres' 'frames 2' copy-command 'click 60 369' 'frames 2' copy-command quit
check "paths are traced behind the click alone" [ "$(grep -c -- '--look paths' .out)" -eq 1 ]
