#!/usr/bin/env bash
# Version, lists and help; requests that make no sense end with status 2 and name what would be right.
sources=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/lib.sh"
picture in.ppm 8 6

gives 0 --version
tells '^glint [0-9]+\.[0-9]+\.[0-9]+$'
gives 0 --help
for command in batch trace bench list help; do
    tells "glint $command "
done
cp .out overview
gives 0 help
check "help and --help agree" cmp -s overview .out

# Lists come from the tables; help knows everything that they name.
for topic in filters levels borders backends scenes formats operations; do
    gives 0 list $topic
    check "list $topic prints something" test -s .out
    check "list $topic leaves stderr alone" test ! -s .err
    cp .out "list-$topic"
done
for filter in gaussian box sharpen emboss sobel laplacian edge invert grayscale convolve; do
    check "list filters has $filter" grep -qE "^$filter +[A-Z]" list-filters
done
for filter in $(grep -oE '^[a-z][a-z0-9]*' list-filters); do
    gives 0 help "$filter"
    tells "^$filter "
done
for level in $(awk '$1 ~ /^[0-9]+$/ { print $2 }' list-levels | sort -u); do
    gives 0 help "$level"
    tells "$level \(level of "
done
for ladder in cpu:cpu cuda:gpu; do
    for operation in convolve trace; do
        for level in $(sed -n "s/^LEVEL($operation, *\([a-z0-9_]*\)).*/\1/p" "$sources/${ladder#*:}/levels.def"); do
            heading="### ${ladder%:*}: $level"
            check "docs/$operation.md has a section $heading" grep -qxF "$heading" "$sources/docs/$operation.md"
        done
    done
done
check "list levels has the reference" grep -qE '^ +0 reference ' list-levels
for command in batch trace bench list; do
    gives 0 help $command
    tells "glint $command"
    gives 0 $command --help
    tells 'Usage: glint '"$command"
done
for border in zero constant clamp mirror wrap ghost; do
    check "list borders has $border" grep -q "$border" list-borders
done
for format in png jpg bmp tga gif hdr pfm scene nff xyz pdb; do
    check "list formats has $format" grep -qw "$format" list-formats
done

# Names that do not exist.
gives 2 bacth
says 'no subcommand "bacth"; did you mean "batch"'
gives 2 list
says 'filters'
gives 2 list filtres
says 'filters'
GLINT_ISA=AVX2 gives 2 list filters
says '^glint: GLINT_ISA is "AVX2", want portable, avx2 or avx512$'
GLINT_ISA=portable gives 0 list filters
gives 2 help nothing-of-the-kind
says 'nothing-of-the-kind'
for operation in $(awk '{ print $1 }' list-operations); do
    gives 0 help "$operation"
    tells "^$operation .operation.$"
    tells "^    Levels on cpu: .*reference"
done
# A level of CUDA is known to every build.
for level in wgmma registers-1d; do
    gives 0 help $level
    tells "^$level .level of multiply on cuda.$"
    tells '^    .*(shared memory|a register)'
done
for command in batch trace bench; do
    gives 2 $command
    check "$command without arguments says something" test -s .err
    gives 2 $command --no-such-option
    says 'no-such-option'
    check "stdout stays empty" test ! -s .out
done

# Requests that make no sense, whatever the files.
bad() { # bad PATTERN ARGUMENTS...
    local pattern=$1
    shift
    gives 2 "$@" -o out/
    says "$pattern"
    says '^glint'
    check "stdout stays empty" test ! -s .out
    check "no output is made" test ! -e out
}
bad 'column 1: no filter "gausian"; did you mean "gaussian"' batch gausian in.ppm
bad 'column 8: no filter "sobl"' batch invert,sobl in.ppm
bad 'column 10: gaussian: sigma is "x", want a number' batch gaussian=x in.ppm
bad 'column 10: gaussian: sigma is 1000, want 0.1 to .* pixels' batch gaussian=1000 in.ppm
bad 'column 12: gaussian: no parameter "rad".*radius' batch gaussian=2:rad=3 in.ppm
bad '3 weights' batch 'convolve=1 2 3' in.ppm
bad 'mask' batch convolve in.ppm
bad 'no-such-level' batch gaussian in.ppm --backend cpu --level no-such-level
bad 'separable' batch 'convolve=1 2 3 4 5 7 7 8 0' in.ppm --backend cpu --level separable
bad 'level "tiles": convolve on cpu has no such level, only .*naive.*running$' batch gaussian in.ppm --backend cpu \
    --level tiles
bad 'level "separable": trace on cpu has no such level, only .*naive.*wide$' trace spheres --backend cpu \
    --level separable
bad 'zero.*clamp' batch gaussian in.ppm --border klamp
bad 'number' batch gaussian in.ppm --border constant=x
bad 'opencl' batch gaussian in.ppm --backend opencl
bad 'threads' batch gaussian in.ppm --threads 0
bad 'threads' batch gaussian in.ppm --threads two
bad 'jobs' batch gaussian in.ppm --jobs 0
bad 'quality' batch gaussian in.ppm --quality 101
bad 'premultiply' batch gaussian in.ppm --alpha none
for shard in 0/3 4/3 1 1/0 a/b 1/2/3 -1/2; do
    bad 'shard' batch gaussian in.ppm --shard=$shard
done
bad 'overwrite' batch gaussian in.ppm --overwrite --skip-existing
gives 2 batch gaussian in.ppm
says '-o'
gives 2 batch gaussian -o out/
gives 2 batch gaussian in.ppm -o 'out/{stam}.png'
says '\{stam\}.*\{stem\}'
gives 2 batch gaussian in.ppm -o - --json -
says 'standard output'

# The environment failed: status 4.
if [ "$("$glint" list backends | grep -c '^cuda ')" -eq 0 ] || ! "$glint" batch invert in.ppm -o - --backend cuda >/dev/null 2>&1; then
    run batch invert in.ppm -o out/ --backend cuda
    check "cuda where there is none: status $status, want 2 or 4" test $status -eq 4 -o $status -eq 2
    says 'cuda|CUDA'
    check "no output is made" test ! -e out
fi
gives 0 batch invert in.ppm -o auto.ppm
says 'cpu|cuda'
last='glint list filters >/dev/full'
"$glint" list filters >/dev/full 2>.err
check "a full stdout is status 4" test $? -eq 4
says 'cannot be written'
if "$glint" help view >/dev/null 2>&1; then # a build may leave the window out
    last='glint view --quiet without a display'
    env -u DISPLAY -u WAYLAND_DISPLAY "$glint" view --quiet >.out 2>.err </dev/null
    check "a window without a display is status 4" test $? -eq 4
    says '^glint: .*[Dd]isplay|DISPLAY'
    lines 1 .err
fi
finish
