#!/usr/bin/env bash
# Broken kernels harm nothing but themselves: each file of tests/kernels/broken gives the sentence that its first line
# wants. `test_broken_kernels.sh GLINT cuda` asks an NVIDIA GPU instead of the emulated one and the processor. It
# prefers the sentence behind `want cuda:`; an endless loop there is ended as well.
. "$(dirname "$0")/lib.sh"
broken=${GLINT_SOURCE_DIR:-$(cd "$OLDPWD" && realpath "$(dirname "$0")/../..")}/tests/kernels/broken
gpu=${2:-emulated}
export XDG_CACHE_HOME=$work/cache
cp "$broken"/* .

# wanted FILE: the sentence for this backend; nothing if there is none.
wanted() {
    local sentence=
    [ "$gpu" != cuda ] || sentence=$(sed -n 's|^// want cuda: ||p' "$1")
    [ -n "$sentence" ] || sentence=$(sed -n 's|^// want: ||p' "$1")
    echo "$sentence"
}

# ask FILE BACKEND SENTENCE: check for a sentence about results; bench, which compiles for fewer pixels, for any other.
ask() {
    local operation
    operation=$(sed -n 's/^KERNEL(\([a-z]*\),.*/\1/p' "$1")
    case $3 in
    "kernel "*) run bench "$operation" --kernel "$1" --level "${1%.*}" --backend "$2" --size 33x17 --runs 1 --quiet --kernel-time 0.5 ;;
    *) run kernel check "$1" --backend "$2" --kernel-time 0.5 --json report.json --overwrite ;;
    esac
}

# harmless FILE BACKEND: the program outlives the kernel, and says the sentence.
harmless() {
    local sentence
    sentence=$(wanted "$1")
    [ -n "$sentence" ] || return
    ask "$1" "$2" "$sentence"
    checks=$((checks + 1))
    cat .out .err >.all
    grep -qE -e "$sentence" .all || { cp .all .err; complain "no line matches: $sentence"; }
    check "the status is 0, 1 or 3, and not $status" grep -q " $status " <<<' 0 1 3 '
    refute "words of the kernel on standard output" grep -q 'words of a kernel' .out
    [ ! -e report.json ] || json '.kernels' report.json
    rm -f report.json
}

if [ "$gpu" != cuda ] && command -v cc >/dev/null; then
    for file in *.c; do
        harmless "$file" cpu
    done
    harmless prints.c cpu
    says '^words of a kernel$'
fi
if "$glint" list backends | awk '/^[a-z]/ { name = $1 } /^ +0:/ { print name }' | grep -qx "$gpu"; then
    for file in *.cu; do
        harmless "$file" "$gpu"
    done
fi
[ $checks -gt 0 ] || { echo "no compiler, or no device"; exit 77; }
finish
