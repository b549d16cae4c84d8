#!/bin/bash
# test_explain.sh: the lines that --explain prints, and those of --no-fuse and bench about fusing.
. "$(dirname "$0")/lib.sh"
picture in.ppm 16 9

gives 0 batch --backend cpu --explain --precision stored brightness=5,invert,gamma=2,box=3 in.ppm -o out.ppm
tells 'source  the picture: value 0, 16x9 u8x3, 0.00 MB in frame 0'
tells 'stage 1 points: point, linear u8, invert u8, power, level '
tells 'stage 2 box: convolve, 3x3, border clamp, level '
tells 'all: 2 stages'
tells 'fused: 4 stages and 4.00 copies without'

gives 0 batch --backend cpu --explain --no-fuse --precision stored brightness=5,invert,gamma=2,box=3 in.ppm -o apart.ppm
tells 'stage 3 gamma: point, power, level '
tells 'all: 4 stages'
check "fused is what it is apart" cmp out.ppm apart.ppm

gives 0 trace --backend cpu --explain --filter invert,sepia spheres --size 16x16 -o traced.ppm
tells 'stage 2 points: point, invert u8, mix, level '

gives 0 bench point --backend cpu --size 64x64 --runs 1 --explain --filter brightness=5,invert,gamma=2
tells 'the whole chain: 1 stages?, [0-9.]* ms; with --no-fuse 3 stages'
gives 0 bench point --backend cpu --size 64x64 --runs 1 --filter invert
refute "nothing was fused" grep -q "whole chain" .out

# a whole chain by itself: all stages, each way
gives 0 bench chain --backend cpu --type u8x3 --size 64x64 --runs 2 --filter brightness=5,invert,box=3 --filter equalize --json both.json
tells '^chain, equalize, u8x3, 64x64'
json '[.benchmarks[] | "\(.name) \(.stages)"] == ["chain/cpu/apart 3", "chain/cpu/fused 2", "chain/cpu/fused 3"]' both.json
json 'all(.benchmarks[]; .real_time > 0 and .copies > 0 and .iterations == 2)' both.json
gives 0 bench chain --backend cpu --size 64x64 --runs 1 --no-fuse --filter brightness=5,invert --json apart.json
json '[.benchmarks[].name] == ["chain/cpu/apart"]' apart.json
gives 2 view --explain
says 'goes with batch, trace and bench'
gives 2 bench chain
says 'want --filter CHAIN'
gives 2 bench chain --filter invert --plot ladder.svg
says 'a chain has no ladder'

# --dry-run explains the work to do, by the header alone, once for each shape, and writes nothing.
gives 0 batch --backend cpu --explain brightness=5,invert,gamma=2,box=3 in.ppm -o other.ppm
mv .out done
rm other.ppm
cp in.ppm twin.ppm
picture large.ppm 20 10
gives 0 batch --backend cpu --jobs 1 --explain --dry-run brightness=5,invert,gamma=2,box=3 in.ppm twin.ppm large.ppm -o never/
check "what it says of a run" diff <(grep -v -- '->.*ppm' done) <(sed '/20x10/,$d' .out | grep -v -- '-> never')
check "once a shape" test "$(grep -c '^brightness=5.* of ' .out)" -eq 2
tells 'in.ppm -> never/in.ppm'
tells 'large.ppm -> never/large.ppm'
check "nothing is written" test ! -e never
printf 'no picture' >rubbish.ppm
gives 1 batch --backend cpu --explain --dry-run invert in.ppm rubbish.ppm -o never/
says 'rubbish.ppm: no known picture format'

# A picture on stdout stays whole: the explanation goes to stderr.
for format in ppm png; do # a film, and a picture
    gives 0 batch invert in.ppm -o - --format $format --explain --backend cpu
    says '^invert of 16x9 u8x3, on cpu:$'
    cp .out explained
    gives 0 batch invert in.ppm -o - --format $format --backend cpu
    check "the same $format" cmp explained .out
done
gives 0 trace spheres --size 8x8 -o - --explain --backend cpu
says '^spheres, on cpu:$'
check "a PNG, from its first byte" test "$(head -c 4 .out | tail -c 3)" = PNG
gives 0 bench convolve --backend cpu --size 64x64 --runs 1 --times --profile -
json '.traceEvents | length > 0' .out
finish
