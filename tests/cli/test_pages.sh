#!/usr/bin/env bash
# Files of several pictures: all are filtered, or the one that --page says; options that a format cannot hold are
# refused. A file's further data go along, or are left out by --strip.
. "$(dirname "$0")/lib.sh"
formats=$GLINT_SOURCE_DIR/tests/formats
"$glint" list formats | grep -E '^(tiff|webp) .*lacks' && exit 77

# Pages of different shapes, there and back; one alone.
gives 0 batch --quiet invert,invert "$formats/tiff-pages.tif" -o pages.tiff
for page in 0 1; do
    gives 0 batch --quiet '' "$formats/tiff-pages.tif" --page $page -o want-$page.ppm
    gives 0 batch --quiet '' pages.tiff --page $page -o got-$page.ppm
    check "page $page comes back" cmp want-$page.ppm got-$page.ppm
done
check "the second page is gray, and 7 rows high" test "$(head -c 11 want-1.ppm | tr '\n' ' ')" = 'P5 19 7 255'
gives 3 batch '' "$formats/tiff-pages.tif" --page 2 -o none.ppm
says 'no page 2: this TIFF holds 2, and the first is 0'
gives 3 batch '' want-0.ppm --page 1 -o none.ppm
says 'no page 1: this PNM holds 1'

# Frames; a format for one picture refuses them, but not one.
gives 0 batch --quiet invert,invert "$formats/webp-frames.webp" --lossless -o frames.webp
for page in 0 1 2; do
    gives 0 batch --quiet '' "$formats/webp-frames.webp" --page $page -o frame-$page.ppm
    gives 0 batch --quiet invert,invert "$formats/webp-frames.webp" --page $page -o frame-$page-twice.ppm
    gives 0 batch --quiet '' frames.webp --page $page -o seen-$page.ppm
    check "frame $page comes back" cmp frame-$page-twice.ppm seen-$page.ppm
done
refute "frames differ" cmp -s frame-0.ppm frame-1.ppm
gives 3 batch '' "$formats/webp-frames.webp" -o one.ppm
says 'PNM holds one picture, and these are 3; --page N takes one, and these hold all: .*webp'
check "nothing is written" test ! -e one.ppm
for kind in gif-frames.gif apng-frames.png; do
    [ -z "$("$glint" list formats | grep '^gif .*lacks')" ] || [ $kind != gif-frames.gif ] || continue
    gives 0 batch --quiet invert,invert "$formats/$kind" -o "twice-$kind"
    for page in 0 1 2 3; do
        gives 0 batch --quiet '' "$formats/$kind" --page $page -o once.ppm -f
        gives 0 batch --quiet '' "twice-$kind" --page $page -o twice.ppm -f
        check "$kind: frame $page comes back" cmp once.ppm twice.ppm
    done
    gives 3 batch '' "$formats/$kind" --page 4 -o none.ppm
    says 'no page 4: this (GIF|PNG) holds 4, and the first is 0'
done
gives 2 batch '' want-0.ppm --page -1 -o none.ppm
says 'page'

# Exif and XMP go along; --strip leaves them out, and then nothing is missing.
gives 0 batch '' "$formats/metadata.jpg" -o kept.png
check "Exif goes along" grep -q 'Somebody of that name' kept.png
check "XMP goes along" grep -q 'a packet' kept.png
gives 0 batch '' kept.png -o lost.ppm
says 'not in all outputs, though in their inputs: .*Exif, XMP'
gives 0 batch --strip '' kept.png -o stripped.png
refute "Exif is left out" grep -q 'Somebody of that name' stripped.png
refute "XMP is left out" grep -q 'a packet' stripped.png
gives 0 batch --strip '' kept.png -o stripped.ppm
check "nothing is called missing" test "$(grep -c 'not in all' .err)" = 0
finish
