#!/usr/bin/env bash
# Texts that editors of Windows wrote: a UTF-8 mark before them is no part of any.
. "$(dirname "$0")/lib.sh"

picture in.ppm 9 7

# marked FILE: the same with a mark, in marked/.
mkdir marked
marked() { { printf '\xef\xbb\xbf'; cat "$1"; } >"marked/$1"; }

# same NAME ARGUMENTS...: glint makes the same of the file NAME and of the marked one; @ stands for it.
same() {
    local name=$1
    shift
    marked "$name"
    gives 0 "${@//@/$name}" --overwrite -o plain.png
    gives 0 "${@//@/marked/$name}" --overwrite -o other.png
    check "$name: the same with a mark" cmp -s plain.png other.png
}

printf '1 2 1\n2 4 2\n1 2 1\n' >mask.txt
same mask.txt batch convolve=file=@:scale=1/16 in.ppm
printf '0 1 0\n1 1 1\n0 1 0\n\n1 0 1\n0 1 0\n1 0 1\n' >masks.txt
same masks.txt batch bank=file=@ in.ppm
printf 'LUT_1D_SIZE 2\n0 0 0\n0.5 1 0.25\n' >half.cube
same half.cube batch lut=@ in.ppm
printf 'glint-scene 2\nsphere 1 2 3 4 1 0.5 0\n' >one.scene
printf 'f 1 0 0 1 0 0 0 0\ns 0 0 0 1\n' >one.nff
printf '1\nwater without hydrogen\nO 0 0 0\n' >one.xyz
printf '%-30s   1.000   2.000   3.000\n' 'ATOM      1  CA  THR A   1' >one.pdb
for scene in one.scene one.nff one.xyz one.pdb; do
    same "$scene" trace @ --size 16x16
done

# The line that is wrong is still named by its number and column.
printf 'glint-scene 2\nsphere x\n' >wrong.scene
marked wrong.scene
gives 3 trace marked/wrong.scene -o never.png
says 'wrong.scene:2:8: "x", want x'

# Lists of files, from a file or a stream; where zero bytes separate them, names are taken as they are.
printf 'in.ppm\r\n' >list
marked list
gives 0 batch invert --files-from marked/list -o by-list/
piped marked/list batch invert --files-from - -o by-stream/
check "status $status" test $status -eq 0
check "the picture of the list" cmp -s by-list/in.ppm by-stream/in.ppm
printf 'in.ppm\0' >list
marked list
gives 3 batch invert --files-from marked/list -0 -o by-zeros/

# Presets.
mkdir -p .config/glint
printf '\xef\xbb\xbffirst: invert   # The first line.\n' >.config/glint/chains.txt
gives 0 batch @first in.ppm -o preset.ppm
check "the preset of the first line" cmp -s preset.ppm by-list/in.ppm

# A text that is none.
printf '1 2\0 1\n' >zero.txt
gives 3 batch convolve=file=zero.txt in.ppm -o never.png
says 'zero.txt: a zero byte at 3: this is not a text'

# Texts that have no end: of zeros, no more is read than shows that; of others, a quarter of the budget.
if [ -e "${GLINT_TEST_HELPERS:-}/peak" ] && [ -z "${GLINT_SANITIZED:-}" ]; then
    endless() { # endless PATTERN MIB FILE ARGUMENTS...
        local pattern=$1 most=$2 from=$3
        shift 3
        last="glint $* <$from"
        GLINT_MEMORY=256M "$GLINT_TEST_HELPERS/peak" "$glint" "$@" >.out 2>.err <"$from"
        says "$pattern"
        check "memory: $(tail -n 1 .out) KiB" test "$(tail -n 1 .out)" -lt $((most << 10))
    }
    endless '/dev/zero: a zero byte at 0: this is not a text' 48 /dev/null batch convolve=file=/dev/zero in.ppm -o never.png
    endless '/dev/zero: a zero byte in line 1' 48 /dev/null batch invert --files-from /dev/zero -o never/
    yes 1 | head -c 70000000 >ones
    endless 'ones: more than 64 MiB; a text has 1 GiB at most, or a quarter of the memory' 128 /dev/null \
        batch convolve=file=ones in.ppm -o never.png
    endless 'standard input: more than 64 MiB' 128 ones batch invert --files-from - -o never/
    rm ones
    endless '/dev/zero: more than 64 MiB' 128 /dev/null batch invert --files-from /dev/zero -0 -o never/
fi

finish
