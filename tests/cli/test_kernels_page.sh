#!/usr/bin/env bash
# docs/kernels.md is true: its listings and commands work in their order, and give the words that it shows.
. "$(dirname "$0")/lib.sh"
page=$GLINT_SOURCE_DIR/docs/kernels.md
gives 0 list compilers
grep -A1 -E '^(nvrtc|nvcc|clang) ' .out | grep '^ ' | grep -qv 'not here:' || { echo "no compiler of CUDA C"; exit 77; }
cp "$GLINT_SOURCE_DIR/assets/photo.jpg" .
gpu=$("$glint" list backends | awk '/^[a-z]/ { name = $1 } /^ +0:/ && name == "cuda" { print name }')

# Its blocks, one a line: "run COMMAND", "list FILE" of a listing, "says WORDS" of what the command before shows.
awk -v folder="$work" '
    /^```/ && !within { within = 1; kind = $0; text = ""; next }
    /^```/ {
        within = 0
        if (kind ~ /cuda/) { file = folder "/listing" ++n; printf "%s", text >file; close(file); print "list " file }
        else if (text !~ /^glint /) { gsub(/\n/, " ", text); print "says " text }
        next
    }
    within && kind !~ /cuda/ && /^glint / { words = substr($0, 7); sub(/  .*/, "", words); print "run " words }
    within { text = text $0 "\n" }
' "$page" >blocks
check "the page has listings, commands and words" test "$(cut -d' ' -f1 blocks | sort | uniq | wc -l)" -eq 3

# settle: the status of the command before. It is 1 where the page shows that a gate fails, 4 where a GPU is missing.
want=
settle() {
    [ -n "$want" ] || return 0
    checks=$((checks + 1))
    [ "$status" -eq "$want" ] || complain "exit status $status, want $want"
    want=
}
while read -r kind words; do
    case $kind in
    list)
        settle
        cp "$words" mine.cu
        ;;
    run)
        settle
        case $words in view*) continue ;; esac
        want=0
        if [[ $words == *"--backend cuda"* && -z $gpu ]]; then want=4; fi
        # shellcheck disable=SC2086
        run $words
        cat .out .err | tr -s ' \n' ' ' >said
        ;;
    says)
        case $words in FAILED*) want=1 ;; esac
        [ -z "$gpu" ] || words=${words//(emulated)/(cuda)}
        for sentence in "${words//FAILED gate/$'\n'FAILED gate}"; do
            while read -r line; do
                check "the command says: $line" grep -qF -e "${line% }" said
            done <<<"$(sed '/^ *$/d' <<<"$sentence")"
        done
        ;;
    esac
done <blocks
settle

# A step too far, as the page tells it.
sed 's/i < mask.width/i <= mask.width/' listing1 >broken.cu
gives 1 kernel check broken.cu --backend emulated
tells 'reads byte 1 behind the end of mask, line [0-9]+'

# The first listing is the starter; the third is all that it takes to be as fast as `shared`.
gives 0 kernel new convolve own.cu
check "the page shows the starter" diff listing1 <(sed 1d own.cu)
check "a tile takes 40 lines at most" test "$(wc -l <listing3)" -le 40
# instructions: how many the last check counted, as NVRTC's PTX has them; another compiler's are near.
instructions() { sed -n 's/.*gate instructions: \([0-9]*\).* instructions of warps.*/\1/p' .out; }
gives 0 lab check mine.cu
known=$(instructions)
sed 's/convolve-halo/convolve-known/' listing3 >loops.cu
gives 1 lab check loops.cu
if "$glint" list compilers | grep -A1 '^nvrtc' | grep -qv 'not here:'; then
    check "the page tells $known instructions, and $(instructions) of the loops" \
        grep -q "counts instructions: $known for 32 pixels, where the loops took $(instructions)" "$page"
fi
finish
