#!/usr/bin/env bash
# docs/levels.md has a row for each CUDA level that it tells of. Its pages have the lines of the sources, are small, and
# need no other file; a line that differs is noticed.
tree=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib.sh"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }

last="tools/level-pages --check"
check "the pages have the lines of the sources (else: make levels)" "$tree/tools/level-pages" --check
for page in "$tree"/docs/levels/*.html; do
    check "$page is small" test "$(wc -c <"$page")" -le 65536
    refute "$page needs others" grep -qE '(src|href)=|@import' "$page"
done

# Changes in a copy.
mkdir -p copy/docs copy/tools copy/gpu copy/core
cp -r "$tree/docs/levels" "$tree/docs/levels.md" copy/docs
cp -r "$tree/gpu/." copy/gpu
cp -r "$tree/core/math" copy/core
cp "$tree/tools/level-pages" copy/tools
check "a copy is as good" copy/tools/level-pages --check
sed -i 's/row_sums\[C\] = {}/row_sums[C] = {0}/' copy/gpu/convolve/naive.cu
refute "another line is noticed" copy/tools/level-pages --check >/dev/null
cp "$tree/gpu/convolve/naive.cu" copy/gpu/convolve
sed -i 's/^LEVEL(move, tile)/&\nLEVEL(move, other)/' copy/gpu/levels.def
refute "a level without a row is noticed" copy/tools/level-pages --check >/dev/null
finish
