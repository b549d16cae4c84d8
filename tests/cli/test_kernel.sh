#!/usr/bin/env bash
# glint kernel: files to begin with, and their compilation by every compiler that is here.
. "$(dirname "$0")/lib.sh"
mkdir tmp
export TMPDIR=$work/tmp
operations='convolve point reduce dot blend multiply move histogram trace'

# ---- a file to begin with ----

gives 0 kernel new convolve mine.cu
says '^glint: mine.cu: each pixel becomes a weighted sum'
check "the starter" grep -q '^KERNEL(convolve, mine, 32, 8, 1, 1, 0)' mine.cu
echo 'my work' >mine.cu
gives 2 kernel new convolve mine.cu
says 'mine.cu.*--overwrite'
check "the file is as it was" test "$(cat mine.cu)" = 'my work'
gives 0 kernel new point mine.cu --overwrite
check "another one" grep -q '^KERNEL(point, mine' mine.cu
gives 2 kernel new convolv mine2.cu
says 'no operation "convolv"; did you mean "convolve"\?'
gives 2 kernel new sum mine2.cu
says 'want one of convolve, point, reduce, dot, blend, multiply, move, histogram, trace$'
gives 2 kernel new convolve mine.txt
says 'mine.txt: want a kernel file: .cu for CUDA C, .c for C on the CPU'
gives 2 kernel new convolve
says 'want `new OPERATION FILE`'
gives 2 kernel mend mine.cu
gives 2 kernel

# ---- every starter and listing, with every compiler that is here ----

gives 0 list compilers
cp .out compilers
found=$(awk '/^[a-z]/ { name = $1 } /^ / && !/not here:/ { print name }' compilers)
check "the C compiler is here" grep -qx cc <<<"$found"

# compile FILE: no compiler has anything to say about it.
compile() {
    local compiler type
    for compiler in $found; do
        [ "$compiler" = cc ] && [[ $1 == *.cu ]] && continue
        [ "$compiler" = cc ] || [[ $1 == *.cu ]] || continue
        for type in $([ $compiler = nvcc ] && echo u8x3 || echo u8x3 u16x1 f32x4); do # it takes half a second
            gives 0 kernel compile "$1" --compiler $compiler --type $type
            check "$1: no word of $compiler" test ! -s .err
            tells "^$1: compiled by $compiler [0-9.]+ in"
        done
    done
}
for operation in $operations; do
    for ending in cu c; do
        gives 0 kernel new $operation $operation.$ending --quiet
        compile $operation.$ending
        tells "^  line [0-9]+: $operation mine"
    done
done
mkdir listings
for file in "$GLINT_SOURCE_DIR"/assets/kernels/* "$GLINT_SOURCE_DIR/tests/kernel/words.cu"; do
    cp "$file" listings
    compile "listings/${file##*/}"
done
check "nothing is left of the compilers' files" test -z "$(ls -A tmp)"

# ---- errors ----

printf '#include <glint/kernel.h>\nKERNEL(point, p)\n{\n    int unused;\n    x = 3;\n}\n' >bad.c
gives 3 kernel compile bad.c --json report.json
says '^bad.c:5:5: error: '
says '^glint: bad.c:5:5: '
json '.compiled == false and .diagnostics[0].line == 5 and .diagnostics[0].column == 5 and .diagnostics[0].kind == "error"' report.json
for compiler in $found; do
    [ $compiler != cc ] || continue
    printf '#include <glint/kernel.h>\n#include "more.h"\nKERNEL(point, p, 32, 8, 1, 1, 0)\n{\n    int unused;\n    x = 3;\n}\n' >bad.cu
    gives 3 kernel compile bad.cu --compiler $compiler
    says "more.h"
    echo 'static __device__ int more;' >more.h
    gives 3 kernel compile bad.cu --compiler $compiler --json report.json -f
    says '^bad.cu[:(]6[:)]'
    says '^glint: bad.cu:6:5: '
    json '.diagnostics | any(.line == 6 and .column == 5 and .kind == "error")' report.json
    printf '#include <glint/kernel.h>\n#include "more.h"\nKERNEL(point, p, 64, 32, 1, 1, 0)\n{\n}\n' >bad.cu
    gives 3 kernel compile bad.cu --compiler $compiler
    says 'bad.cu:3: a block of p has 64 x 32 threads, want 1 to 1024 in all'
    rm more.h
done
echo 'int no_kernel;' >none.c
gives 3 kernel compile none.c
says 'none.c: has no kernel; want one that begins like KERNEL\(convolve, mine\)'
gives 3 kernel compile missing.c
gives 2 kernel compile point.cu --compiler cc
says 'point.cu: cc compiles .c files, want a .c file'
gives 2 kernel compile point.cu --compiler tcc
says 'no compiler "tcc"; `glint list compilers` shows all'
gives 2 kernel compile point.c --type u32x3

# ---- names of files ----

mkdir 'a b'
for compiler in $found; do
    ending=$([ $compiler = cc ] && echo c || echo cu)
    cp point.$ending 'a b/it is.mine'.$ending
    gives 0 kernel compile 'a b/it is.mine'.$ending --compiler $compiler
    cp point.$ending ./-O0.$ending
    gives 0 kernel compile --compiler $compiler -- -O0.$ending
    cp point.$ending 'b$(touch by-shell)`touch by-shell`;touch by-shell.'$ending
    run kernel compile 'b$(touch by-shell)`touch by-shell`;touch by-shell.'$ending --compiler $compiler
    check "$compiler: compiled, or not tried" test $status = $([ $compiler = nvcc ] && echo 4 || echo 0)
    check "$compiler: no shell has read the name" test ! -e by-shell
done

# ---- the cache ----

gives 0 kernel compile point.c --json - --type f32x2
json '.cached == false' .out
gives 0 kernel compile point.c --json - --type f32x2
json '.cached == true and .kernels[0].name == "mine" and .kernels[0].operation == "point"' .out
gives 0 kernel compile point.c --type f32x2 --fresh
refute "compiled again" grep -q cache .out
CFLAGS=-O1 gives 0 kernel compile point.c --json - --type f32x2
json '.cached == false' .out
echo '/* a word more */' >>point.c
gives 0 kernel compile point.c --json - --type f32x2
json '.cached == false' .out
mkdir 'own headers' headers
for folder in headers 'own headers'; do
    echo '/* of the user */' >"$folder/own.h"
    sed '1i #include <own.h>' point.c >including.c
    includes() { # by CPATH, or by an option
        case $folder in
        headers) CFLAGS="-O1 -I headers" gives 0 kernel compile including.c --json - --type f32x2 ;;
        *) CPATH="/nowhere:$folder" gives 0 kernel compile including.c --json - --type f32x2 ;;
        esac
    }
    includes
    includes
    json '.cached == true' .out
    echo '/* changed */' >>"$folder/own.h"
    includes
    json '.cached == false' .out
done
XDG_CACHE_HOME=/dev/null gives 0 kernel compile point.c --json - --type f32x2
json '.cached == false' .out

# ---- the C compiler is the user's ----

printf '#!/bin/sh\necho "$@" >>%s/calls\nexec cc "$@"\n' "$work" >own-cc
chmod +x own-cc
CC="$work/own-cc -DA_WORD" CFLAGS='-O1  -DANOTHER' gives 0 kernel compile convolve.c
check "CC and CFLAGS hold" grep -q -e '^-DA_WORD -O3 .*-O1 -DANOTHER ' calls
CC=no-such-compiler gives 4 kernel compile convolve.c --fresh
says 'convolve.c: no compiler works.*CC may name one'
printf '#!/bin/sh\ncase $* in *--version) echo 1.0 ;; *) touch %s/begun; sleep 1000 ;; esac\n' "$work" >slow-cc
chmod +x slow-cc
CC=$work/slow-cc "$glint" kernel compile convolve.c 2>.err >.out &
patiently test -e begun
kill -TERM $!
wait $!
check "a signal ends it" test $? -eq 130
check "nothing is left of its files" test -z "$(ls -A tmp)"

# ---- the library is the user's ----

if grep -qx nvrtc <<<"$found"; then
    GLINT_NVRTC=/dev/null gives 4 kernel compile convolve.cu --compiler nvrtc
    says 'GLINT_NVRTC names neither the library nor its folder'
    echo 'no library' >libnvrtc.so
    GLINT_NVRTC=$work gives 4 kernel compile convolve.cu --compiler nvrtc
    says 'libnvrtc.so'
fi
if grep -qx clang <<<"$found"; then # the next one is taken
    GLINT_NVRTC=/dev/null PATH=/usr/bin:/bin gives 0 kernel compile convolve.cu
fi

# ---- the result as a file ----

gives 0 kernel compile convolve.c -o convolve.so
check "a shared object" test "$(head -c 4 convolve.so | tail -c 3)" = ELF
gives 2 kernel compile convolve.c -o convolve.so
says '\-\-overwrite'
for compiler in $found; do
    [ $compiler != cc ] || continue
    gives 0 kernel compile convolve.cu -o convolve.ptx -f --compiler $compiler
    check "$compiler: PTX with line numbers" grep -qE '^[[:space:]]*\.loc[[:space:]]+[0-9]+ [0-9]+' convolve.ptx
    check "$compiler: the kernel" grep -q '\.entry mine' convolve.ptx
done
finish
