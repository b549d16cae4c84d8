#!/usr/bin/env bash
# bench: a ladder, checked and timed; its printed lines, and its JSON in Google Benchmark's schema.
. "$(dirname "$0")/lib.sh"

small=(--size 96x64 --runs 2 --backend cpu)
for operation in convolve trace reduce dot denoise surfaces; do
    gives 0 bench $operation "${small[@]}"
    for level in $("$glint" list levels | awk -v o="cpu $operation" '/^[a-z]/ { on = $0 == o; next } on && $1 ~ /^[0-9]+$/ && $2 != "reference" { print $2 }'); do
        check "$operation: a row for $level" grep -qw "$level" .out
    done
done
gives 0 bench trace "${small[@]}" --scene cloud=3000 --level bvh --json report.json
check "the BVH: built and refitted" grep -q '^the BVH: built in .* refitted in [0-9.]* ms; ' .out
json '.benchmarks[0] | .build_ms > 0 and .refit_ms > 0 and .build_bytes > 0' report.json
gives 0 bench convolve "${small[@]}" --type f32x1 --mask 3
gives 0 bench convolve "${small[@]}" --type u16x3 --mask 7x3
gives 0 bench convolve "${small[@]}" --filter laplacian
gives 0 bench convolve "${small[@]}" --json report.json
check "stdout has the table, too" test -s .out
json 'has("context") and (.benchmarks | length) >= 3' report.json
check "entries as Google Benchmark writes them" jq -e 'all(.benchmarks[];
    (.name | type == "string") and (.real_time | . > 0) and (.cpu_time | . >= 0) and (.iterations | . >= 1) and
    (.time_unit | IN("ns", "us", "ms", "s")))' report.json >/dev/null
check "how near to the roof; no watts where there is no counter" jq -e 'all(.benchmarks[]; .roof > 0 and (has("watts") | not))' report.json >/dev/null
check "n/a where it is not to be had" grep -q 'n/a' .out
check "the context has a date and the processors" jq -e '.context | has("date") and has("num_cpus")' report.json >/dev/null
gives 0 bench convolve "${small[@]}" --json -
json 'has("benchmarks")' .out

# Samples of light are gathered last, and not at all if times alone are wanted.
gives 0 bench trace "${small[@]}" --look paths --level bvh --json report.json
json '.benchmarks[0] | has("16_spp_ms")' report.json
gives 0 bench trace "${small[@]}" --look paths --level bvh --times --json report.json
json '.benchmarks[0] | .real_time > 0 and (has("16_spp_ms") | not)' report.json

# Lists span a grid: every type with every mask and every filter.
gives 0 bench convolve "${small[@]}" --type u8x1,f32x3 --mask 3,5x1 --filter gaussian=1 --filter box=3 --json report.json
json '[.benchmarks[].label] | unique | length == 8' report.json
json '[.benchmarks[].label | select(test("^convolve, gaussian=1 7x7, .*, f32x3, 96x64$"))] | length > 0' report.json
gives 0 bench trace "${small[@]}" --scene spheres --scene cloud=7 --json report.json
json '.context.options | .scene == "spheres,cloud=7" and .size == "96x64" and .runs == 2 and .filter == null and
    .border == "clamp" and .exposure == 1 and .top == false' report.json
json '[.benchmarks[].label] | unique == ["trace, cloud=7, 7 spheres, orthographic, classic, u8x4, 96x64",
    "trace, spheres, 20 spheres, orthographic, classic, u8x4, 96x64"]' report.json

# The fastest level is this machine's business; a line names it for each job, and the status says whether best found it.
run bench convolve "${small[@]}" --check-best --type u8x1,f32x1 --mask 3 --filter gaussian=3 --json report.json
check "status $status, want 0 or 1" test "$status" -le 1
lines 5 .out
tells '^best takes the fastest level, or one at most 10 % slower, in [0-4] of 4 jobs$'
tells '^convolve, dense 3x3, border clamp, u8x1, 96x64: best takes [a-z]+, [0-9.]+ ms; the fastest is [a-z]+, [0-9.]+ ms$'
check "a sentence for each that is beaten" test "$(grep -c 'times slower$' .err)" -ge "$status"
json '[.benchmarks[] | select(.best)] | length == 4' report.json
gives 2 bench convolve --check-best --level simd
says 'all levels'
gives 2 bench convolve --check-best --top

# Sweeps have a line for each length, and for types and sizes; the times of one run may have cliffs.
run bench --check-steps --backend cpu --filter box --runs 1 --json steps.json
check "status $status, want 0 or 1" test "$status" -le 1
lines 5 .out
tells '^box, width: 1 [0-9.]+, 2 [0-9.]+, .* 30 [0-9.]+ ms$'
tells '^box, size: 640x480 [0-9.]+, .* 3840x2160 [0-9.]+ ms$'
tells "^$(grep -c 'times as long as' .err) cliffs\$"
json '[.benchmarks[] | select(.name == "steps/cpu/box/type") | .label] ==
    ["box, u8x1", "box, u8x3", "box, u8x4", "box, u16x4", "box, f32x4"]' steps.json
gives 2 bench convolve --check-steps
says '--check-steps takes no operation'
gives 0 bench chain "${small[@]}" --filter gamma=2,saturation=2 --type u8x3
check "a chain that fuses runs both ways" grep -q '^apart' .out
gives 0 bench chain "${small[@]}" --filter gamma=2,saturation=2 --type u8x3 --top
check "with --top, as batch runs it" sh -c 'grep -q "^fused" .out && ! grep -q "^apart" .out'
gives 2 bench dot --course

gives 0 bench multiply --size 40 --precision f32,bf16 --runs 1 --backend cpu --json report.json
tells '^multiply, values of bf16, f32x1, 40x40$'
json '[.benchmarks[] | select(.agrees)] | length == 8' report.json

# A timeline for each way through the device, in the profile as well.
gives 0 bench transfer --size 300x200 --type u16x3 --runs 1 --backend cpu --profile way.json
tells '^transfer, host to host, u16x3, 300x200$'
tells '^staged +host +H+K+D+ [0-9.]+ ms$'
tells '^in-place +host +K{64} [0-9.]+ ms$'
json '[.traceEvents[] | select(.name == "kernel")] | length == 4' way.json

gives 0 bench nbody --size 100 --runs 1 --backend cpu --json report.json
tells '^nbody, 1 steps of .* f32x4, 100x3$'
tells '^bodies .*pairs/s'
json '[.benchmarks[] | select(.agrees and .["interactions/s"] > 0)] | length == 4' report.json

# Options of other operations are refused, and so are matrices that are no squares.
gives 2 bench reduce --mask 5
says 'mask is of glint bench convolve, not of reduce'
gives 2 bench nbody --scene galaxy=100
gives 2 bench dot --precision bf16
gives 2 bench multiply --filter invert
gives 2 bench multiply --size 7x5
says 'multiply takes square matrices: --size is 7x5, want one number'

gives 2 bench
gives 2 bench no-such-operation
says 'convolve'
gives 2 bench convolve --size 5x
gives 2 bench multiply --size 5 --level wgmma --backend cpu
says 'wgmma.* cuda'
gives 2 bench multiply --size 5 --level no-such-level
says 'no level "no-such-level" for multiply'
gives 2 bench multiply --size 5 --precision f16
says 'tf32'
gives 2 bench multiply --type u8x4 --size 5
says 'f32x1'
gives 2 bench convolve --type u9x4
gives 2 bench convolve --type u8x4,u9x4
gives 2 bench convolve --mask 3,0
gives 2 bench convolve --mask 0
gives 2 bench convolve --mask 3x
gives 2 bench convolve --mask 999
gives 2 bench convolve --runs 0
gives 2 bench convolve --filter gausian
says 'did you mean "gaussian"'
gives 2 bench convolve --backend opencl
# Without gnuplot a plot is refused, before anything is timed.
for i in 1 2 3 4 5; do
    PATH=/nonexistent run bench convolve --size 16x16 --backend cpu --runs 1 --plot none.svg
    check "status $status, want 4" test $status -eq 4
    says '^glint: --plot none.svg: gnuplot is not on the PATH'
    check "nothing was timed" test ! -s .out
done
# A file of CUDA is left out where no GPU is, and in one sentence; the ladder runs.
if [ -n "$("$glint" list compilers | grep -E '^ +(nvrtc|nvcc|clang) [0-9]')" ]; then
    gives 0 kernel new --quiet point mine.cu
    gives 0 bench point "${small[@]}" --kernel mine.cu
    says '^glint: mine.cu is left out: no kernel of it runs on cpu; --backend emulated runs it without a GPU$'
    check "glint's levels are there" grep -q '^threads ' .out
fi
finish
