#!/usr/bin/env bash
# The program of a release is hardened as Debian's packages are. It has a stack protector and checked calls of the C
# library. Its addresses are bound before it begins and read-only from then on; it has a random place and control-flow
# protection.
. "$(dirname "$0")/lib.sh"
command -v readelf >/dev/null || { echo "no readelf"; exit 77; }
build=$(dirname "$glint")
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$build/CMakeCache.txt" || { echo "no release"; exit 77; }
readelf -W --dyn-syms "$glint" >symbols
readelf -W -d -l -h -n "$glint" >headers
check "a stack protector" grep -q '__stack_chk_fail' symbols
check "checked calls" grep -qE '__(snprintf|memcpy|printf|fprintf)_chk' symbols
check "a random place" grep -qE 'Type: +DYN' headers
check "read-only addresses" grep -q GNU_RELRO headers
check "bound at the beginning" grep -qE 'BIND_NOW|FLAGS_1.*NOW' headers
refute "no code on the stack" grep -qE 'GNU_STACK.*RWE' headers
# The linker notes this of a program only if all its objects have it, and those of the C library do not everywhere.
if [ "$(uname -m)" = x86_64 ]; then
    readelf -W -n "$build/libglint_core.a" >objects
    check "control-flow protection" grep -q 'IBT, SHSTK' objects
fi
finish
