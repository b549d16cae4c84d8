#!/usr/bin/env bash
# Each call of the CUDA runtime fails in turn (of a change every 61st), on an emulated GPU. It fails once; some fail for
# want of memory, or with the device lost from then on. Whatever fails, nothing crashes. The status is 0 only if every
# output is whole and right; else there is one sentence. No torn or unfinished file, and no memory of the device, is
# left.
. "$(dirname "$0")/../cli/lib.sh"
shopt -s nullglob
export XDG_CACHE_HOME=$work/.cache
mkdir in
picture in/a.ppm 12 9 1
picture in/b.ppm 9 14 2
step=$(every 61) # 61 is 1 modulo 6: all kinds of faults take their turn

# attempt OUTPUTS ARGUMENTS...: one run with the faults that the environment asks for.
attempt() {
    local outputs=$1 file
    shift
    rm -rf out out.*
    last="GLINT_EMULATOR_FAULT=${GLINT_EMULATOR_FAULT:-} ERROR=${GLINT_EMULATOR_ERROR:-} LOST=${GLINT_EMULATOR_LOST:-} glint $*"
    GLINT_EMULATOR_COUNT=$work/.count timeout -s KILL 60 "$glint" "$@" --backend cuda --quiet >.out 2>.err </dev/null
    status=$?
    checks=$((checks + 1))
    [[ $status -eq 0 || $status -eq 1 || $status -eq 4 ]] || complain "status $status"
    [ $status -eq 0 ] || grep -q '^glint: .*CUDA: ' .err || complain "status $status without a word of CUDA"
    for file in $outputs; do
        [ ! -e "$file" ] || [ ! -e "want/$file" ] || cmp -s "$file" "want/$file" || complain "$file is torn"
        [ $status -ne 0 ] || [ -e "$file" ] || complain "status 0 without $file"
    done
    local unfinished=(.glint-*.tmp out/.glint-*.tmp)
    [ ${#unfinished[@]} -eq 0 ] || complain "something unfinished is left"
    read -r count left <.count || complain "it crashed"
    [ "$left" -le "${usual:-$left}" ] || complain "$left blocks of memory are left, not $usual"
}

# attack OUTPUTS ARGUMENTS...: each call fails in turn.
attack() {
    local calls usual= k
    rm -rf want && mkdir want
    attempt "$@"
    check "without a fault: status $status" test $status -eq 0
    calls=$count usual=$left
    check "calls are counted" test "$calls" -gt 50
    for file in $1; do
        mkdir -p "want/$(dirname "$file")"
        cp "$file" "want/$file" || exit 1
    done
    for ((k = 1; k <= calls; k += step)); do
        GLINT_EMULATOR_FAULT=$k attempt "$@"
        case $((k % 6)) in
        1) GLINT_EMULATOR_FAULT=$k GLINT_EMULATOR_ERROR=2 attempt "$@" ;;
        4) GLINT_EMULATOR_FAULT=$k GLINT_EMULATOR_ERROR=700 GLINT_EMULATOR_LOST=1 attempt "$@" ;;
        esac
    done
}

attack "out/a.ppm out/b.ppm" batch gaussian=1,sharpen in -o out/ --jobs 1
attack "out/a.ppm" batch gaussian=1 in/a.ppm -o out/ --jobs 1 --retry 1 # as a whole, not row by row
attack "out/a.ppm" batch equalize,median=1 in/a.ppm -o out/ --jobs 1
attack out.ppm trace spheres=count=3 --size 6x4 -o out.ppm
attack out.ppm trace packed=2 --size 6x4 --look paths --samples 2 --filter gaussian=1 -o out.ppm
finish
