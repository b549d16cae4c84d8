#!/usr/bin/env bash
# docs/photographs.md is true: its five commands make a folder for the web of the card that tools/photographs makes.
. "$(dirname "$0")/lib.sh"
tree=$GLINT_SOURCE_DIR
command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 77; }
"$glint" list formats | grep -qi 'raw' || { echo "SKIPPED: built without LibRaw"; exit 77; }
mkdir run
last="tools/photographs"
check "the page's commands run" "$tree/tools/photographs" "$glint" run >.out 2>.err
check "there are five" test "$(grep -c '^glint ' "$tree/docs/photographs.md")" -eq 5
for folder in proofs/jpg developed/tiff final/tiff web/jpg; do
    holds run/${folder%/*} P001.${folder#*/} P002.${folder#*/} P003.${folder#*/}
done

# size FILE: its width and height, as exiftool reads them.
size() { exiftool -s3 -ImageWidth -ImageHeight "$1" | tr '\n' ' '; }
if command -v exiftool >/dev/null; then
    check "proofs are half as large: $(size run/proofs/P001.jpg)" test "$(size run/proofs/P001.jpg)" = "360 240 "
    check "the second is upright" test "$(size run/web/P002.jpg)" = "480 720 "
    check "the third has lost its corners" test "$(size run/web/P003.jpg | cut -d' ' -f1)" -lt 720
    check "16 bits" test "$(exiftool -s3 -BitsPerSample run/final/P001.tiff)" = "16 16 16"
    check "the Exif stays until the web" test "$(exiftool -s3 -Model run/final/P001.tiff)" = "Synthetic 1"
    check "and goes there" test -z "$(exiftool -s3 -Model -DateTime run/web/P001.jpg)"
fi
for picture in run/web/*; do check "$picture is small" test "$(stat -c %s "$picture")" -le 204800; done
# mean FILE: of its values, as a byte each.
mean() {
    "$glint" batch box=1 "$1" -o mean.ppm --overwrite --quiet --bits 8 --backend cpu
    tail -c +16 mean.ppm | od -An -v -tu1 | awk '{ for (i = 1; i <= NF; i++) { s += $i; n++ } } END { print int(s / n) }'
}
check "the first is brighter" test "$(mean run/web/P001.jpg)" -gt $(($(mean run/card/100/P001.dng) + 10))

# The page has its pictures, and they are small.
for picture in $(grep -o 'photographs/[a-zA-Z0-9-]*\.jpg' "$tree/docs/photographs.md"); do
    check "$picture" test "$(head -c 2 "$tree/docs/$picture" | od -An -tx1)" = " ff d8"
done
check "they are small" test "$(cat "$tree"/docs/photographs/* | wc -c)" -lt 120000
finish
