#!/usr/bin/env bash
# Folders that are deep, damaged or full of other things than files; and lists of files in every spelling.
. "$(dirname "$0")/lib.sh"
picture a.ppm 8 6 1
picture b.ppm 8 6 2

# A thousand folders, one in the other.
deep=$(printf 'd/%.0s' $(seq 1000))
mkdir -p "tree/$deep"
cp a.ppm "tree/${deep}deepest.ppm"
cp b.ppm tree/top.ppm
gives 0 batch invert tree -r -o out/
check "the picture at the bottom" test -f "out/${deep}deepest.ppm"
check "the picture at the top" test -f out/top.ppm

# A path longer than the system takes (PATH_MAX, 4096) is one failure, and the others are done.
name=$(printf 'n%.0s' $(seq 200))
mkdir long
cp a.ppm long/z.ppm
(
    cd long || exit
    for _ in $(seq 25); do mkdir "$name" && cd -P "$name" || exit; done
    cp "$work/a.ppm" beyond.ppm
)
gives 1 batch invert long -r -o long-out/ --json report
holds long-out z.ppm
says "^glint: long/${name:0:10}.* \.\.\. .*: cannot be read: File name too long"
lines 3 report
json '(.status == "done") or (.status == "failed" and (.error | test("too long")))' report

# A folder that cannot be read is one failure among others; root can read all, unless it gives that up.
mkdir -p mixed/closed mixed/open
cp a.ppm mixed/1.ppm
cp a.ppm mixed/closed/2.ppm
cp a.ppm mixed/open/3.ppm
chmod 000 mixed/closed
limited=()
[ "$(id -u)" -ne 0 ] || limited=(setpriv --bounding-set=-dac_override,-dac_read_search)
if "${limited[@]}" true 2>/dev/null; then
    last="glint batch on a folder without permission"
    "${limited[@]}" "$glint" batch invert mixed -r -o mixed-out/ --json report-mixed >.out 2>.err </dev/null
    check "status $?, want 1" test $? -eq 1
    holds mixed-out 1.ppm open
    says '^glint: mixed/closed: cannot be read: Permission denied$'
    check "one line for it" test "$(grep -c closed .err)" -eq 1
    json '.status == "done" or (.input == "mixed/closed" and .output == null)' report-mixed
    "${limited[@]}" "$glint" batch invert mixed/closed -o mixed-none/ >.out 2>.err </dev/null
    check "nothing usable: status $?, want 3" test $? -eq 3
fi
chmod 700 mixed/closed

# An entry of a folder that is no regular file is skipped with a word, however long nobody writes to it.
mkdir strange
cp a.ppm strange/a.ppm
mkfifo strange/fifo.png
ln -s /dev/zero strange/zero.jpg
ln -s . strange/loop.png
ln -s nowhere strange/dangling.bmp
gives 1 batch invert strange -o strange-out/ --json report-strange
holds strange-out a.ppm
says '^glint: strange/fifo.png: is a FIFO, skipped$'
says '^glint: strange/zero.jpg: is a device, skipped$'
says '^glint: strange/dangling.bmp: .*No such file'
json 'select(.input == "strange/fifo.png") | .status == "skipped" and .reason == "is a FIFO"' report-strange
rm strange/dangling.bmp
gives 0 batch invert strange -o strange-quiet/ --quiet
check "quiet is quiet" test ! -s .err
gives 0 batch invert strange -o strange.png # one picture, after all
rm strange/a.ppm
gives 3 batch invert strange -o strange-none/
says 'no usable input: strange/fifo.png is a FIFO'

# A FIFO that is named is read to its end.
mkfifo named.ppm
cat a.ppm >named.ppm &
gives 0 batch '' named.ppm -o from-fifo.ppm
check "it is the picture" cmp -s a.ppm from-fifo.ppm

# Lists: zero bytes between names that hold everything else, CRLF, and faults in them.
mkdir names
cp a.ppm $'names/line\nbreak.ppm'
cp b.ppm $'names/carriage\r'.ppm
cp b.ppm 'names/ blank .ppm'
find names -name '*.ppm' -print0 >list0
for option in -0 --null; do
    gives 0 batch invert --files-from list0 $option -o "by-null$option/"
    check "all three" test "$(ls -A "by-null$option" | tr -cd 'p' | wc -c)" -eq 6
done
piped list0 batch invert --files-from - -0 -o by-null-stdin/
check "status $status" test $status -eq 0
printf 'a.ppm\r\n\r\nb.ppm\r\n' >crlf
gives 0 batch invert --files-from crlf -o by-crlf/
holds by-crlf a.ppm b.ppm
printf 'a.ppm\nb.p\0pm\n' >stray
gives 2 batch invert --files-from stray -o by-stray/
says '^glint: stray: a zero byte in line 2; .*--null'
gives 2 batch invert --files-from list0 -o by-stray/
says 'list0: a zero byte in line [12]; .*find -print0'
check "nothing is written" test ! -e by-stray
gives 2 batch invert a.ppm -0 -o by-stray/
says 'files-from'
gives 3 batch invert --files-from . -o by-folder/ # reads of a folder fail
says '^glint: \.: .*folder'
gives 3 batch invert --files-from /proc/self/mem -o by-error/ # so do those of address 0
says '^glint: /proc/self/mem: cannot be read: Input/output error'
printf 'a.ppm\nnamed.ppm\n' >list-fifo
gives 0 batch invert --files-from list-fifo -o by-fifo/
says '^glint: named.ppm: is a FIFO, skipped$'
printf 'a.ppm\nmissing.ppm\ntree/d\n' >list-mixed
gives 1 batch invert --files-from list-mixed -o by-mixed/
holds by-mixed a.ppm
finish
