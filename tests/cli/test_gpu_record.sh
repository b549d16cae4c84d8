# test_gpu_record.sh: a record of a check on a GPU vouches for the sources that ran there, and for no others.
tree=$(realpath "$(dirname "$0")/../..")
source "$(dirname "$0")/lib.sh"
build=$(dirname "$glint")
mkdir copy
cp -r "$tree"/{core,gpu,tests,tools} copy/
sources=$(copy/tools/gpu-sources)
check "a hash" grep -qE '^[0-9a-f]{64}$' <<<"$sources"
printf '{\n "sources": "%s",\n "date": "2026-01-01",\n "device": "some",\n "passed": true\n}\n' "$sources" \
    >copy/tests/gpu/record.json

# record STATUS: check-record's verdict on the copy.
record() {
    local got=0
    copy/tests/gpu/check-record >.out 2>.err || got=$?
    checks=$((checks + 1))
    last="check-record"
    [ $got -eq "$1" ] || complain "status $got, want $1: $(cat .out)"
}

# changed STATUS FILE [TEXT]: the same after TEXT is put behind FILE, which is then undone.
changed() {
    echo "${3-: changed}" >>"copy/$2"
    record "$1"
    cp "$tree/$2" "copy/$2"
}

record 0
# Kernels; headers that they share with the host; their callers on the host; the harness.
for file in gpu/trace/bvh.cu gpu/levels.def core/math/path.h core/scene/shading_context.c tests/levels/trace.c \
    tests/view/test_gpu_window.sh; do
    changed 77 $file
done
# Files that no check on a GPU is about.
for file in core/codec/png.c tests/gpu/check-record; do
    changed 0 $file
done
# Comments and white space.
for text in '/* changed */' '// "changed' ''; do
    changed 0 gpu/trace/bvh.cu "$text"
done
changed 77 gpu/trace/bvh.cu '"/* changed */"'
record 0
sed -i 's/true/false/' copy/tests/gpu/record.json
record 1

# All that nvcc and the host's compiler read when they built this program, if Ninja built it with CUDA.
if [ -f "$build/.ninja_deps" ] && [ -d "$build/gpu" ]; then
    copy/tools/gpu-sources --list | sort >listed
    ninja -C "$build" -t deps >deps 2>.err
    awk '/^[^ ]/ { kernel = /^gpu\/CMakeFiles\/glint_gpu\.dir/ } /^ / && kernel && /\.[cdh]/ { print $1 }' deps | sort -u |
        (cd "$build" && xargs -r realpath -m) | grep "^$tree/" | grep -v "^$build/" | sed "s:^$tree/::" | sort -u >read
    last="gpu-sources --list"
    check "the build's dependencies name headers" grep -q '^core/math/' read
    check "all of them are listed: not $(comm -23 read listed | tr '\n' ' ')" test -z "$(comm -23 read listed)"
fi
finish
