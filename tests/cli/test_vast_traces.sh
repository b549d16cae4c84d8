#!/usr/bin/env bash
# Traced pictures larger than memory pass in bands and strips into the file. They are those of the whole at once to the
# byte, and leave nothing behind if they fail. A trace that cannot pass so is refused with a sentence.
. "$(dirname "$0")/lib.sh"

has() { [ -z "$("$glint" list formats | grep -E "^ *$1 .*not in this build")" ]; } # has FORMAT
tiff=ppm
has tiff && tiff=tif

# same FORMAT ARGUMENTS...: by strips the same file as without. 1200 x 1401 pixels are 5 MB. 14 MiB do not hold the
# picture with its result and the file made of it, let alone its light. Each thread has memory of its own: a few of
# them.
same() {
    local format=$1
    shift
    gives 0 trace "$@" -o "want.$format" --backend cpu --quiet --overwrite
    GLINT_MEMORY=14M run trace "$@" -o "got.$format" --backend cpu --threads 4 --overwrite --explain --json report.json
    check "$*: status $status" test $status -eq 0
    tells 'in bands of [0-9]+ rows'
    tells 'in strips of [0-9]+ rows'
    check "the same file" cmp "want.$format" "got.$format"
    json '.complete and .width == 1200 and (.ms | has("trace") and has("encode") and (has("decode") | not))' report.json
}

size="--size 1200x1401"
same ppm spheres $size
same png cloud=400 $size --camera perspective --look depth
same $tiff cloud=400 $size --filter gaussian=2,sharpen
same ppm cloud=400 $size --filter gaussian=3 --border wrap --linear
same $tiff cloud=400 $size --filter normalize,sobel
same png cloud=400 $size --filter canny,dilate=3
same ppm cloud=400 $size --filter resize=1200:700,sharpen
same ppm cloud=400 $size --level sorted
same ppm cloud=400 $size --filter gaussian=2 --level separable
same $tiff packed=40 $size --look whitted
same ppm packed=10 $size --look paths --samples 2 --exposure 2
same png cloud=50 $size --camera random

# Frames around a scene, each in strips; bodies that move.
mkdir want got
gives 0 trace cloud=60 $size --camera perspective --orbit 2 -o want/f.ppm --backend cpu --quiet
GLINT_MEMORY=14M gives 0 trace cloud=60 $size --camera perspective --orbit 2 -o got/f.ppm --backend cpu
holds got f-0001.ppm f-0002.ppm
check "the same frames" diff -r want got
gives 0 trace plummer=200 $size --simulate 0.05 -o want/p.ppm --backend cpu --quiet
GLINT_MEMORY=14M gives 0 trace plummer=200 $size --simulate 0.05 -o got/p.ppm --backend cpu
check "the same bodies" cmp want/p.ppm got/p.ppm

# To a pipe.
GLINT_MEMORY=14M gives 0 trace cloud=60 $size -o - --backend cpu --quiet
cp .out piped.png
gives 0 trace cloud=60 $size -o whole.png --backend cpu --quiet
check "through a pipe the same" cmp piped.png whole.png

# A filter that needs all of the picture at once is refused before work starts, with a sentence, and leaves nothing.
export GLINT_MEMORY=14M
mkdir none
refused() { # refused SENTENCE ARGUMENTS...
    local sentence=$1
    shift
    gives 3 trace "$@" $size --backend cpu
    says "$sentence"
    holds none
}
lacks='needs .* MiB of memory, more than the 14 MiB of the budget .*'
refused "tracing $lacks, and in strips it cannot be done: its format is written as a whole" spheres -o none/a.bmp
refused "$lacks: --denoise looks at all" packed --look paths --samples 2 --denoise -o none/a.ppm
refused "$lacks: --time spreads light over all" packed --look paths --time 1 -o none/a.ppm
for chain in flip=vertical rotate=90; do
    refused "also in strips,? .*$lacks" spheres --filter $chain -o none/a.ppm
done
gives 2 trace spheres $size --level nothing -o none/a.ppm --backend cpu
says 'level "nothing"'
holds none

# A signal ends work that would take minutes; a picture in strips is there as a whole, or not at all.
if [ -z "${GLINT_SANITIZED:-}" ]; then
    "$glint" trace packed --look paths --samples 100000 $size -o none/a.ppm --backend cpu 2>.err &
    job=$!
    patiently at_work $job
    sleep 0.2
    kill -TERM $job
    wait $job
    status=$?
    check "interrupted: status $status" test $status -eq 130
    says 'interrupted: nothing is written'
    holds none
fi
finish
