#!/usr/bin/env bash
# batch reads and writes names, templates, streams, folders, lists, shards, JSON and quiet.
. "$(dirname "$0")/lib.sh"
picture a.ppm 16 9 1
picture b.ppm 5 7 2
printf 'P6\n2 1\n255\n\001\002\003\375\376\377' >tiny.ppm

# Pixels by hand.
gives 0 batch invert tiny.ppm -o inverted.ppm
ends_with inverted.ppm '254 253 252 2 1 0'
gives 0 batch '' tiny.ppm -o same.ppm
ends_with same.ppm '1 2 3 253 254 255'
gives 0 batch 'convolve=1 1 1;' tiny.ppm -o sums.ppm --border zero
ends_with sums.ppm '254 255 255 254 255 255'
gives 0 batch 'convolve=0 0 1;' tiny.ppm -o left.ppm --border constant=9
ends_with left.ppm '253 254 255 9 9 9'
gives 0 batch 'convolve=0 0 1;:flip=1' tiny.ppm -o right.ppm --border wrap
ends_with right.ppm '253 254 255 1 2 3'
printf '# a row\n0 0 1\n0 0 0\n0 0 0\n' >mask.txt
gives 0 batch 'convolve=file=mask.txt' tiny.ppm -o file.ppm --border clamp
ends_with file.ppm '253 254 255 253 254 255'

printf '0 0 1\n' >row.txt # a line is a row, and not a square
gives 0 batch 'convolve=file=row.txt' tiny.ppm -o row.ppm --border constant=9
ends_with row.ppm '253 254 255 9 9 9'
# Parameters that would leave the range of f32 are refused.
gives 2 batch 'convolve=3e38 3e38 3e38 3e38' tiny.ppm -o huge.ppm
says 'convolve: .*range of f32'
gives 2 batch gaussian tiny.ppm -o huge.ppm --border constant=1e60
says 'constant=1e60.*range of f32'

# Every level and thread count writes the same bytes.
gives 0 batch gaussian=1.5,sharpen a.ppm -o want.ppm --backend cpu --level reference
for level in $("$glint" list levels | awk '/^[a-z]/ { on = $0 == "cpu convolve"; next } on && $1 ~ /^[0-9]+$/ { print $2 }'); do
    chain=box=5
    [ "$level" = fft ] && chain=disk=5 # no outer product
    gives 0 batch $chain a.ppm -o "level-$level.ppm" --backend cpu --level "$level" --threads 2
    gives 0 batch $chain a.ppm -o "again-$level.ppm" --backend cpu --level "$level" --threads 1
    check "level $level does not depend on threads" cmp -s "level-$level.ppm" "again-$level.ppm"
done

# Names: one file, a folder, a folder that exists, templates.
gives 0 batch invert a.ppm b.ppm -o names/
holds names a.ppm b.ppm
mkdir there
gives 0 batch invert a.ppm b.ppm -o there
holds there a.ppm b.ppm
gives 0 batch invert a.ppm b.ppm -o 'deep/er/{stem}-{chain}.png'
holds deep/er a-invert.png b-invert.png
gives 0 batch 'gaussian=2,sharpen=amount=0.8' a.ppm -o 'chain/{stem}-{chain}.{ext}'
check "one file named by its chain" test "$(ls chain | wc -l)" -eq 1
check "no separators from the chain in a name" test -z "$(ls chain | tr -d 'a-z0-9._=+\n-')"
gives 0 batch 'convolve=file=mask.txt,invert' a.ppm -o 'slash/{chain}.png'
check "a slash-free name" test "$(find slash -type f | wc -l)" -eq 1
cp a.ppm 'with space.tar.ppm'
gives 0 batch invert 'with space.tar.ppm' -o 'space/{stem}.{ext}'
holds space 'with space.tar.ppm'

# Files have the format of their names.
for output in formats/ there formats/a.png 'formats/{stem}.png'; do
    gives 2 batch invert a.ppm -o "$output" --format jpg
    says "--format jpg is for standard output; .* as in -o 'FOLDER/\{stem\}.jpg'"
done
gives 0 batch invert a.ppm -o 'formats/{stem}.jpg'
holds formats a.jpg

# The extension chooses the format; PNG and the other lossless formats give the pixels back.
for format in png bmp tga ppm; do
    gives 0 batch '' a.ppm -o "copy.$format"
    gives 0 batch '' "copy.$format" -o "back-$format.ppm"
    check "$format keeps the pixels" cmp -s a.ppm "back-$format.ppm"
done
gives 0 batch '' a.ppm -o q5.jpg --quality 5
gives 0 batch '' a.ppm -o q95.jpg --quality 95
check "quality makes JPEG files larger" test "$(stat -c %s q95.jpg)" -gt "$(stat -c %s q5.jpg)"
check "magic bytes of PNG" test "$(head -c 4 copy.png | tail -c 3)" = PNG
# A fault that no file can change is said once, before the first.
for output in a.xyz nowhere '{stem}.xyz' 'some/{index}.xyz'; do
    gives 2 batch '' a.ppm copy.png -o "$output"
    says "^glint: -o $output: the extension names no format"
    lines 1 .err
done
check "and nothing is written" test ! -e a.xyz
gives 2 batch '' a.ppm -o ''
says '^glint: -o is "", want a file'
gives 2 batch '' a.ppm -o a.psd
says '^glint: -o a.psd: PSD is read, but not written'
gives 0 batch '' a.ppm -o '{stem}-2.{ext}' # whatever the input's is

# Fewer bits a value, if they are asked for: 0.5 and 0.25 of 255 are 127.5, to even 128, and 63.75. For 65535 they are
# 32768 and 16384.
printf 'Pf\n4 1\n-1\n\0\0\0\77\0\0\200\76\0\0\0\100\0\0\200\277' >light.pfm # 0.5 0.25 2 -1
gives 3 batch '' light.pfm -o light.png
gives 0 batch '' light.pfm -o light.pgm --bits 8
ends_with light.pgm '128 64 255 0'
gives 0 batch '' light.pfm -o deep.pgm --bits 16
ends_with deep.pgm '128 0 64 0 255 255 0 0'
gives 0 batch '' deep.pgm -o less.pgm --bits 8
ends_with less.pgm '128 64 255 0'
gives 0 batch '' light.pgm -o wide.pgm --bits 16 # which has 8
ends_with wide.pgm '128 128 64 64 255 255 0 0'
gives 3 batch '' light.pgm -o wide.jpg --bits 16
says 'JPEG is written as u8x1,3, .*; not u16x1'
gives 2 batch '' light.pfm -o light.png --bits 12
says '^glint batch: --bits is "12", want 8 or 16'

# An alpha that is opaque everywhere is left out where there is no place for it; another is not.
pam() { printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n' "$1" "$2"; }
{ pam 4 RGB_ALPHA; printf '\40\100\140\377\1\2\3\377'; } >opaque.pam
{ pam 4 RGB_ALPHA; printf '\40\100\140\377\1\2\3\376'; } >clear.pam
{ pam 2 GRAYSCALE_ALPHA; printf '\40\377\1\377'; } >gray.pam
for name in opaque gray; do
    gives 0 batch '' $name.pam -o $name.jpg
    gives 0 batch '' $name.pam -o $name.png
done
check "three channels" test "$("$glint" batch '' opaque.jpg -o - --format ppm -q | head -c 2)" = P6
check "one channel" test "$("$glint" batch '' gray.jpg -o - --format ppm -q | head -c 2)" = P5
gives 0 batch '' opaque.png -o - --format ppm
check "which stays where it can" test "$(head -c 2 .out)" = P7
gives 3 batch '' clear.pam -o clear.jpg
says 'JPEG is written as u8x1,3.*not u8x4'

# Gray is written as RGB where there is no gray: three times the same value, and alpha stays.
{ pam 1 GRAYSCALE; printf '\40\100'; } >plain.pam
{ pam 2 GRAYSCALE_ALPHA; printf '\40\377\1\376'; } >pale.pam
for format in webp bmp; do
    if [ $format = bmp ] || "$glint" list formats | grep -q '^webp.*lossless'; then
        gives 0 batch '' plain.pam -o plain.$format --lossless
        check "$format: gray" cmp -s <("$glint" batch '' plain.$format -o - --format ppm -q | tail -c 6) \
            <(printf '\40\40\40\100\100\100')
        gives 0 batch '' pale.pam -o pale.$format --lossless
        check "$format: gray and alpha" cmp -s <("$glint" batch '' pale.$format -o - --format ppm -q | tail -c 8) \
            <(printf '\40\40\40\377\1\1\1\376')
    fi
done

# A directory without an entry is damage, and no lack of memory.
printf 'II*\0\10\0\0\0\0\0\0\0\0\0' >empty.tif
gives 3 batch '' empty.tif -o empty.png
says 'empty.tif: damaged TIFF'

# Streams.
piped a.ppm batch invert - -o -
check "status $status of a stream" test $status -eq 0
cp .out streamed
check "stderr does not go to stdout" test "$(head -c 1 streamed | od -An -tx1 | tr -d ' ')" = 89 -o "$(head -c 2 streamed)" = P6
gives 0 batch invert a.ppm -o inverted-a.ppm
piped streamed batch '' - -o from-stream.ppm
check "pixels survive a stream" cmp -s inverted-a.ppm from-stream.ppm
piped a.ppm batch invert - -o from/
check "status $status" test $status -eq 0
check "a stream gets a name in a folder" test "$(ls from | wc -l)" -eq 1
gives 3 batch invert - -o nothing.png # stdin is empty
says 'glint|standard input|-:'
check "nothing is written" test ! -e nothing.png

# Folders, lists and shards.
mkdir -p tree/sub/deeper
cp a.ppm tree/1.ppm
cp b.ppm tree/sub/2.ppm
cp b.ppm tree/sub/deeper/3.ppm
echo "not a picture" >tree/readme.txt
cp a.ppm tree/.hidden.ppm
gives 0 batch invert tree -o flat/
holds flat 1.ppm
gives 0 batch invert tree -r -o whole/
holds whole 1.ppm sub
holds whole/sub 2.ppm deeper
holds whole/sub/deeper 3.ppm
printf 'a.ppm\n\nb.ppm\n' >list
gives 0 batch invert --files-from list -o listed/
holds listed a.ppm b.ppm
piped list batch invert --files-from - -o listed-stdin/
check "status $status" test $status -eq 0
holds listed-stdin a.ppm b.ppm
printf 'a.ppm\nb.ppm' >list-open # no line break at its end
gives 0 batch invert --files-from list-open tiny.ppm -o listed-more/
holds listed-more a.ppm b.ppm tiny.ppm
gives 3 batch invert --files-from no-such-list -o listed-none/
says 'no-such-list'
mkdir empty
gives 3 batch invert empty -o nowhere/
says 'no input'
for i in 1 2 3 4 5 6 7; do picture "s$i.ppm" 4 4 "$i"; done
for i in 1 2 3; do
    gives 0 batch invert s?.ppm -o shards/ --shard $i/3
done
holds shards s1.ppm s2.ppm s3.ppm s4.ppm s5.ppm s6.ppm s7.ppm # each once, or the second had refused
gives 0 batch invert s1.ppm -o shards-more/ --shard 2/2 # a shard may be empty

# Dry run.
gives 0 batch invert a.ppm b.ppm -o dry/ --dry-run
check "a dry run makes no folder" test ! -e dry
check "a dry run names the outputs" grep -q 'dry/b.ppm' .out .err

# JSON: a line each, also for files that failed.
echo "not a picture" >broken.png
run batch gaussian=2 a.ppm b.ppm broken.png -o json/ --json -
check "status $status" test $status -eq 1
lines 4 .out # the last is the summary
json 'has("input") and has("output") and has("status")' .out
check "two are done" test "$(jq -r .status .out | grep -c '^done$')" -eq 2
check "one failed and says why" test "$(jq -r 'select(.status == "failed") | .error' .out | wc -c)" -gt 10
check "sizes are in it" test "$(jq -r 'select(.input == "a.ppm") | "\(.width) \(.height) \(.type)"' .out)" = '16 9 u8x3'
check "times are in it" test "$(jq -r 'select(.input == "a.ppm") | .ms.gaussian >= 0 and .ms.decode >= 0' .out)" = true
gives 0 batch invert a.ppm b.ppm -o json-file/ --json report.jsonl
lines 3 report.jsonl
json '.status == "done"' report.jsonl
check "stdout stays empty" test ! -s .out
gives 0 batch invert a.ppm b.ppm -o json-dry/ --json - --dry-run
json '.status == "planned"' .out
gives 0 batch invert a.ppm b.ppm -o json-file/ --json - --skip-existing
json '.status == "skipped"' .out
cp a.ppm $'odd "name"\\.ppm'
gives 0 batch invert $'odd "name"\\.ppm' -o json-odd/ --json -
json '.input == "odd \"name\"\\.ppm"' .out

# The summary tells all options that outputs depend on, by their rows: each that --help shows, but for these.
options() { jq -cS 'select(.status == "summary") | .options' "$1"; }
gives 0 batch invert a.ppm -o json-options/ --json -
check "defaults: $(options .out)" test "$(options .out)" = '{"alpha":"premultiply","bits":null,"border":"clamp","bytes":null,"codec":null,"damaged":"refuse","depth":"auto","effort":4,"half":false,"hdr":false,"icc":"keep","linear":false,"lossless":false,"matrix":"601","no-fuse":false,"optimize":false,"page":null,"precision":"auto","progressive":false,"quality":92,"raw":null,"sampling":"auto","strip":false}'
neutral='backend device devices dry-run explain export fail-fast files-from format help json jobs kernel kernel-time level null on-error output overwrite profile quiet recursive resume retry sandbox shard skip-existing spill threads usage verbose version watch'
shown=$("$glint" batch --help | grep -oE '^ +(-.,)? +--[a-z-]+' | sed 's/.*--//' | sort)
check "every option is there, or neutral" test "$(printf '%s\n' $neutral $(options .out | jq -r 'keys[]') | sort)" = "$shown"
gives 0 batch invert a.ppm -o json-options/ --json - -f --quality 50 --half --bits 16 --page 0 --border constant=7 --linear
check "values: $(options .out)" test "$(options .out | jq -c '[.quality, .half, .bits, .page, .border, .linear, .lossless]')" = \
    '[50,true,"16","0+1","constant=7",true,false]'

# Quiet says nothing, verbose more than the default; errors are always told.
gives 0 batch invert a.ppm b.ppm -o quiet/ --quiet
check "quiet is quiet" test ! -s .err -a ! -s .out
gives 0 batch invert a.ppm b.ppm -o usual/
usual=$(wc -l <.err)
gives 0 batch invert a.ppm b.ppm -o verbose/ --verbose
check "verbose says more" test "$(wc -l <.err)" -gt "$usual"
check "nobody writes to stdout" test ! -s .out
gives 3 batch invert broken.png -o quiet/ --quiet
says 'broken.png'

# Pictures of different shapes in one run; alpha, gray and 16 bit stay as they are.
printf 'P5\n3 1\n65535\n\000\001\177\377\377\377' >gray16.pgm
gives 0 batch invert gray16.pgm -o inverted16.pgm
ends_with inverted16.pgm '255 254 128 0 0 0'
gives 0 batch '' gray16.pgm -o gray16.png
gives 0 batch '' gray16.png -o gray16-back.pgm
ends_with gray16-back.pgm '0 1 127 255 255 255'
gives 0 batch gaussian a.ppm b.ppm gray16.pgm tiny.ppm -o mixed/ --jobs 1
holds mixed a.ppm b.ppm gray16.pgm tiny.ppm

# A rectangle in percent, and a mask of any size, are shares of each picture, also where a sidecar names them.
mkdir shares
picture shares/a.ppm 16 8 3
picture shares/b.ppm 40 20 4
grey() { # grey FILE WIDTH HEIGHT: a mask that lets half through
    printf 'P5\n%d %d\n255\n' "$2" "$3" >"$1"
    head -c $(($2 * $3)) /dev/zero | tr '\0' '\200' >>"$1"
}
grey small.pgm 3 2
printf 'glint edits 1\npicture = a.ppm\nedit = a\nfilter = %s\n' \
    'invert=within=50%x25%+25%+50%,brightness=30:within=small.pgm' >a.ppm.glint
gives 0 batch @a.ppm.glint shares -o shared/
for row in a.ppm:16:8:8x2+4+4 b.ppm:40:20:20x5+10+10; do
    IFS=: read -r name width height part <<<"$row"
    grey full.pgm "$width" "$height"
    gives 0 batch --overwrite "invert=within=$part,brightness=30:within=full.pgm" "shares/$name" -o want.ppm
    check "masks of $name" cmp "shared/$name" want.ppm
done
finish
