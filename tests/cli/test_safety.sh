#!/usr/bin/env bash
# No file is lost: outputs that exist, collisions, and inputs under every name they may have.
. "$(dirname "$0")/lib.sh"
picture a.ppm 8 6 1
picture b.ppm 8 6 2
mkdir other
picture other/a.ppm 8 6 3
sha256sum a.ppm b.ppm other/a.ppm >before
untouched() { check "the inputs are as they were" sha256sum --quiet -c before; }

# An output that exists is refused before anything is written.
mkdir out
echo precious >out/b.ppm
gives 2 batch invert a.ppm b.ppm -o out/
says 'out/b.ppm exists.*--overwrite.*--skip-existing'
holds out b.ppm
check "what was there is there" grep -q precious out/b.ppm
gives 0 batch invert a.ppm b.ppm -o out/ --skip-existing
holds out a.ppm b.ppm
check "what was there is there" grep -q precious out/b.ppm
gives 0 batch invert a.ppm b.ppm -o out/ --overwrite
refute "what was there is replaced" grep -q precious out/b.ppm
holds out a.ppm b.ppm
ln -s nowhere dangling.ppm
gives 2 batch invert a.ppm -o dangling.ppm
check "a dangling link exists, too" test -L dangling.ppm -a ! -e nowhere
untouched

# Two inputs, one output: found before work starts.
gives 2 batch invert a.ppm other/a.ppm -o both/
says 'a.ppm and other/a.ppm would both write both//?a.ppm'
check "nothing is written" test ! -e both
gives 2 batch invert a.ppm other/a.ppm -o both/ --overwrite
gives 2 batch invert a.ppm b.ppm -o 'both/{chain}.png'
gives 2 batch invert a.ppm b.ppm -o one.png
says 'one.png'
gives 2 batch invert a.ppm b.ppm -o -
gives 2 batch invert a.ppm a.ppm -o both/
gives 2 batch invert a.ppm ./a.ppm -o both/
check "nothing is written" test ! -e both -a ! -e one.png
mkdir -p real && ln -s real alias
gives 2 batch invert a.ppm other -o 'real/{dir}/../a.ppm'
check "nothing is written" test ! -e real/a.ppm
untouched

# An input is never written to, whatever it is called, even with --overwrite.
ln -s a.ppm link.ppm
ln a.ppm hard.ppm
ln -s . here
for output in a.ppm ./a.ppm "$PWD/a.ppm" other/../a.ppm here/a.ppm link.ppm hard.ppm here/hard.ppm; do
    gives 2 batch invert a.ppm -o "$output" --overwrite
    says 'input'
    untouched
done
gives 2 batch invert link.ppm -o a.ppm --overwrite
gives 2 batch invert a.ppm b.ppm -o ./ --overwrite
gives 2 batch invert a.ppm b.ppm -o 'here/{stem}.{ext}' --overwrite
gives 2 batch invert b.ppm other/a.ppm -o other/../other/ --overwrite
gives 2 batch invert a.ppm b.ppm -o b.ppm --overwrite
untouched
gives 2 batch invert a.ppm b.ppm -o './{stem}.ppm' --skip-existing
untouched
# The report is no way around it.
run batch invert a.ppm -o report/ --json a.ppm
check "--json on an input: status $status" test $status -eq 2
untouched
gives 2 trace spheres --size 8x8 -o a.ppm
says 'exists'
untouched

# Decoded in a sandbox, pictures are the same, and failures are told as without; not under sanitizers, whose runtimes
# make calls that it refuses.
picture one.ppm 31 17
if [ -z "${GLINT_SANITIZED:-}" ]; then
    run batch '' one.ppm -o one.png --backend cpu --quiet
    head -c 300 one.png >torn.png
    gives 1 batch gaussian=1 one.ppm one.png torn.png -o open/ --backend cpu
    gives 1 batch gaussian=1 one.ppm one.png torn.png -o boxed/ --backend cpu --sandbox
    says 'torn.png: damaged PNG'
    holds boxed one.png one.ppm
    check "the same picture" cmp open/one.ppm boxed/one.ppm
    piped one.png batch gaussian=1 - -o piped.ppm --backend cpu --sandbox=5
    check "a stream: status $status" test $status -eq 0
    check "the same picture" cmp open/one.ppm piped.ppm
fi

# A decoder that is taken over answers as it likes. Its picture is one failed input, whatever the answer is, and no
# other is lost. `answers VALUE STATUS WORDS` makes a picture of this first value, for whose decoder
# tests/helpers/taken_over.c answers.
answers() {
    printf 'P6\n4 1\n255\n%sbcdefghijkl' "$1" >taken-"$1".ppm
    for to in png jpg tif gif; do
        last="batch --sandbox with a decoder that answers '$1', to $to"
        LD_PRELOAD=$GLINT_TEST_HELPERS/taken_over.so GLINT_MEMORY=512M "$glint" batch '' taken-"$1".ppm -o "taken/$1.$to" \
            --backend cpu --sandbox >.out 2>.err </dev/null
        status=$?
        check "status $2: $status" test $status = "$2"
        [ -z "$3" ] || says "$3"
    done
}
if [ -z "${GLINT_SANITIZED:-}" ]; then
    answers x 0 ''
    for answer in i t a b; do
        answers $answer 3 "glint: taken-$answer.ppm: the decoder's answer makes no sense"
    done
    holds taken x.gif x.jpg x.png x.tif
    # Answers count in the budget, also many at once: profiles of 15 MiB.
    mkdir carried
    for i in $(seq 24); do printf 'P6\n4 1\n255\npbcdefghijkl' >carried/$i.ppm; done
    peak=$(LD_PRELOAD=$GLINT_TEST_HELPERS/taken_over.so GLINT_MEMORY=256M "$GLINT_TEST_HELPERS/peak" "$glint" batch '' carried \
        -o 'carried/{stem}.jpg' --backend cpu --jobs 8 --sandbox 2>.err)
    check "24 profiles of 15 MiB take $peak KiB, of 262144" test "$peak" -le 262144
    check "all are there" test "$(find carried -name '*.jpg' -size +14M | wc -l)" -eq 24
    rm -r carried
    # A decoder that does not answer keeps no signal from being heard, and is gone with the run.
    printf 'P6\n4 1\n255\nhbcdefghijkl' >taken-h.ppm
    last="batch --sandbox with a decoder that hangs"
    LD_PRELOAD=$GLINT_TEST_HELPERS/taken_over.so "$glint" batch '' taken-h.ppm -o taken/h.png --backend cpu --sandbox=3600 \
        >.out 2>.err </dev/null &
    run=$!
    until server=$(pgrep -P $run) && [ -n "$(pgrep -P "$server")" ]; do sleep 0.1; done
    kill -TERM $run
    wait $run
    status=$?
    check "status 130: $status" test $status -eq 130
    refute "no server is left" kill -0 "$server" 2>/dev/null
    holds taken x.gif x.jpg x.png x.tif
fi

# A library that prints about damage is not heard; in the sandbox, that is no reason to end it.
# unheard FORMAT SAMPLE OFFSET BYTES WORDS: the sample with these bytes (octal) at the offset is refused with these words.
unheard() {
    [ -z "$(echo "$formats" | grep -E "^$1 .*lacks")" ] || return 0
    cp "$GLINT_SOURCE_DIR/tests/formats/$2" "broken-$2"
    printf "$4" | dd of="broken-$2" bs=1 seek="$3" conv=notrunc status=none
    for box in "" ${GLINT_SANITIZED:-"--sandbox"}; do
        [ "$box" = 1 ] && continue
        gives 3 batch '' "broken-$2" -o broken.png --backend cpu $box
        says "^glint: broken-$2: $5"
        check "no other voice" test -z "$(grep -v '^glint: ' .err)"
    done
}
formats=$("$glint" list formats)
unheard jxl jxl-boxed.jxl 200 '\377\377\377\377' 'damaged JPEG XL'
unheard heif heif-plain.avif 276 '\132' 'damaged HEIF' # an OBU that is none
gives 2 batch invert one.ppm -o never.ppm --sandbox=0
gives 2 batch invert one.ppm -o film.y4m --sandbox
says '--sandbox is for pictures'
finish
