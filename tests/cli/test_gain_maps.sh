#!/usr/bin/env bash
# Gain maps: kept in JPEG and JPEG XL, moved by chains, rendered for EXR and by --hdr, and told where they are lost.
# tests/formats/gain_map*.py made the files; tests/unit/test_gain_map.c compares renderings with their figures.
. "$(dirname "$0")/lib.sh"
formats=$GLINT_SOURCE_DIR/tests/formats
plain=$formats/jpeg-gain-plain.jpg

# as exiftool sees it: no fault, two pictures, the second of them the map; it may not know ISO 21496-1's segment
faultless() { [ -z "$(exiftool -validate -warning -error -a -s3 "$1" | grep -v -e '^OK$' -e 'Warnings\? ([a-z ]*minor)$' -e 'Unknown APP2 segment')" ]; }
map_size() { exiftool -b -MPImage2 "$1" >map.jpg && exiftool -s3 -ImageSize map.jpg; }
for row in 'plain::8x6' 'plain:crop=x=4:y=4:width=8:height=8:4x4' 'iso:rotate=90:3x4' 'elements:resize=8:6,gaussian=1:8x6'; do
    name=${row%%:*} chain=${row#*:} size=${row##*:} chain=${chain%:*}
    gives 0 batch "$chain" "$formats/jpeg-gain-$name.jpg" -o kept.jpg -f
    refute "$row: nothing is lost" grep -q 'not in all' .err
    check "$row: exiftool finds no fault" faultless kept.jpg
    check "$row: a map of $size, not $(map_size kept.jpg)" test "$(map_size kept.jpg)" = "$size"
    check "$row: exiftool finds no fault in the map" faultless map.jpg
    check "$row: the map's length is told" test "$(exiftool -s3 -DirectoryItemLength kept.jpg)" = "$(stat -c %s map.jpg)"
    gives 0 batch '' kept.jpg -o again.jpg -f
    check "$row: once more" faultless again.jpg
done

gives 0 batch '' "$formats/jpeg-gain-turned.jpg" -o kept.jpg -f
check "a map that was turned with its picture" test "$(map_size kept.jpg)" = 3x4

# Elsewhere it is lost, which is told, and nothing promises it.
gives 0 batch '' "$plain" -o lost.png
says 'not in all outputs, though in their inputs: HDR gain maps'
gives 0 batch '' lost.png -o none.jpg
refute "no promise is left" grep -q -a -e hdrgm: -e Container: -e MPF -e 21496 lost.png none.jpg
gives 0 batch bank "$plain" -o none.jpg -f
says 'HDR gain maps'
refute "no promise is left" grep -q -a -e hdrgm: -e Container: -e MPF -e 21496 none.jpg

# The sandbox reads it, too; a damaged one costs itself.
gives 0 batch --sandbox '' "$plain" -o boxed.jpg
gives 0 batch '' "$plain" -o free.jpg
check "the sandbox makes no difference" cmp boxed.jpg free.jpg
head -c -20 "$plain" >damaged.jpg
gives 0 batch '' damaged.jpg -o without.jpg
says 'gain maps'
refute "no promise is left" grep -q -a -e hdrgm: -e MPF without.jpg

# EXR gets the HDR rendering; with --hdr filters act on it.
if [ -z "$("$glint" list formats | grep -E '^exr .*lacks')" ]; then
    gives 0 batch '' "$plain" -o light.exr
    gives 0 batch gaussian=1,crop=x=3:y=2:width=9:height=7 light.exr -o want.exr
    gives 0 batch --hdr gaussian=1,crop=x=3:y=2:width=9:height=7 "$plain" -o got.exr
    gives 0 compare got.exr want.exr
    gives 0 batch --hdr gaussian=1,crop=x=3:y=2:width=9:height=7 --quality 100 "$plain" -o got.jpg
    check "exiftool finds no fault" faultless got.jpg
    gives 0 batch '' got.jpg -o got.exr -f
    gives 0 compare got.exr want.exr --at-most max=0.03
    gives 0 batch --hdr --linear gaussian=1 "$plain" -o linear.exr
    gives 0 batch --hdr gaussian=1 "$plain" -o stored.exr
    gives 0 compare linear.exr stored.exr --at-most max=1e-5
fi
# JPEG XL keeps it in a box; AVIF and HEIC are read, and written without one.
has() { [ -z "$("$glint" list formats | grep -E "^$1 .*lacks")" ]; }
if has jxl; then
    gives 0 batch crop=x=4:y=4:width=8:height=8 "$plain" -o kept.jxl -f
    refute "nothing is lost" grep -q 'not in all' .err
    check "there is a box for it" grep -q -a jhgm kept.jxl
    gives 0 batch '' kept.jxl -o again.jpg -f
    check "a map of 4x4, not $(map_size again.jpg)" test "$(map_size again.jpg)" = 4x4
    gives 0 batch --sandbox '' "$formats/jxl-gain.jxl" -o boxed.jxl -f
    gives 0 batch '' "$formats/jxl-gain.jxl" -o free.jxl -f
    check "the sandbox makes no difference" cmp boxed.jxl free.jxl
    gives 0 batch '' "$formats/jpeg-444.jpg" -o none.jxl
    refute "no box without a map" grep -q -a jhgm none.jxl
    gives 0 batch --hdr 'gaussian=1' "$formats/jxl-gain.jxl" -o new.jxl
    check "a new map of the rendering" grep -q -a jhgm new.jxl
fi
if has avif; then
    gives 0 batch --sandbox '' "$formats/heif-gain.avif" -o kept.jpg -f
    check "a map of 8x6, not $(map_size kept.jpg)" test "$(map_size kept.jpg)" = 8x6
    check "exiftool finds no fault" faultless kept.jpg
    gives 0 batch '' "$formats/heif-gain-apple.heic" -o kept.jpg -f
    check "a map of 16x12, not $(map_size kept.jpg)" test "$(map_size kept.jpg)" = 16x12
    gives 0 batch '' "$formats/heif-gain.avif" -o lost.avif -f
    says 'HDR gain maps'
    refute "no promise is left" grep -q -a -e tmap -e 21496 lost.avif
    if has jxl; then
        gives 0 batch --hdr '' "$formats/heif-gain-turned.avif" -o alpha.jxl
        gives 0 batch '' alpha.jxl -o alpha.png
        check "alpha stays" test "$(exiftool -s3 -ColorType alpha.png)" = 'RGB with Alpha'
    fi
fi
gives 0 batch --hdr '' "$plain" -o light.hdr
gives 3 batch --hdr '' "$plain" -o light.png
says 'PNG is written as'
gives 0 batch --hdr '' "$formats/jpeg-444.jpg" -o none.png # has no map, and passes as it is
finish
