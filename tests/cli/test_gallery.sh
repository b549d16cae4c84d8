#!/usr/bin/env bash
# docs/filters.md is as tools/gallery makes it from the program's tables, and has its pictures; a difference is noticed.
tree=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }

last="tools/gallery --check"
check "the gallery has what the program has (else: make gallery)" "$tree/tools/gallery" --check "$glint"
check "its pictures are small" test "$(cat "$tree"/docs/filters/* | wc -c)" -lt 1500000
for picture in "$tree"/docs/filters/*; do
    check "$picture is a JPEG" test "$(head -c 2 "$picture" | od -An -tx1)" = " ff d8"
done

# Changes in a copy.
mkdir -p copy/docs copy/tools
cp -r "$tree/docs/filters" "$tree/docs/filters.md" copy/docs
cp "$tree/tools/gallery" copy/tools
check "a copy is as good" copy/tools/gallery --check "$glint"
sed -i 's/^| `sigma` | .*/| `sigma` | something else | | |/' copy/docs/filters.md
refute "another text is noticed" copy/tools/gallery --check "$glint" >/dev/null
cp "$tree/docs/filters.md" copy/docs
rm copy/docs/filters/gaussian.jpg
refute "a picture that is missing is, too" copy/tools/gallery --check "$glint" >/dev/null
cp "$tree/docs/filters/gaussian.jpg" copy/docs/filters/nonesuch.jpg
cp "$tree/docs/filters/gaussian.jpg" copy/docs/filters
refute "or one of no filter" copy/tools/gallery --check "$glint" >/dev/null
finish
