#!/usr/bin/env bash
# The emulated GPU as a backend: its pictures are the processor's, it shows no times, and nothing takes it unasked. A
# build without nvcc has no levels, and runs kernel files all the same.
. "$(dirname "$0")/lib.sh"
picture in.ppm 40 30 7

gives 0 list backends
tells '^emulated a GPU that is emulated'
gives 0 batch invert in.ppm -o auto.ppm --verbose
refute "auto takes the emulated GPU" grep -q emulated .err
gives 0 kernel new convolve mine.cu --quiet
run kernel check mine.cu --backend emulated
case $status in
0)
    tells '^mine: 8 of 8 cases of convolve agree with the reference \(emulated\)$'
    # Passes of a sum find their values at whole multiples of 16 bytes: four are read at once.
    cat >fours.cu <<'END'
#include <glint/kernel.h>

KERNEL(reduce, fours, 16, 1, 1, 1, 0) {
    __shared__ float sums[16];
    const float4 *fours = (const float4 *)in.values;
    const int i = column(), rest = in.count / 4 * 4 + i;
    float sum = rest < in.count ? in.values[rest] : 0;
    if (i < in.count / 4)
        sum += fours[i].x + fours[i].y + fours[i].z + fours[i].w;
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 16; k++)
        sum += sums[k];
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
END
    gives 0 kernel check fours.cu --backend emulated
    # The limit is a block's, so that a large picture takes its time.
    gives 0 batch resize=800:600 in.ppm -o wide.ppm --backend cpu
    gives 0 batch box=9 wide.ppm -o want.ppm --backend cpu --overwrite
    gives 0 batch box=9 wide.ppm -o have.ppm --kernel mine.cu --level mine --backend emulated --kernel-time 0.1 --overwrite
    gives 0 compare want.ppm have.ppm --at-most max=1
    # Parts of a warp meet by themselves; a lane also knows what those that it meets have learned from others.
    cat >halves.cu <<'END'
#include <glint/kernel.h>

KERNEL(point, halves, 32, 8, 1, 1, 0) {
    __shared__ int tile[8][32];
    volatile int *const words = tile[threadIdx.y];
    const int lane = threadIdx.x, x = column(), y = row();
    words[lane] = lane;
    int sum;
    if (lane < 16) {
        __syncwarp(0x0000ffff);
        sum = words[15 - lane] - (15 - lane);
    } else {
        __syncwarp(0xffff0000);
        sum = words[47 - lane] - (47 - lane);
    }
    if (lane == 16 || lane == 17)
        __syncwarp(0x00030000);
    if (lane == 0 || lane == 16)
        __syncwarp(0x00010001);
    if (lane == 0)
        sum += words[31] - 31; /* by way of lane 16 */
    if (x < out.width && y < out.height)
        for (int c = 0; c < CHANNELS; c++)
            store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset + sum);
}
END
    gives 0 kernel check halves.cu --backend emulated
    # A barrier waits for no thread that has returned (CUDA C Programming Guide, synchronization functions).
    cat >returned.cu <<'END'
#include <glint/kernel.h>

KERNEL(point, returned, 32, 8, 1, 1, 0) {
    __shared__ int ones[8];
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    if (threadIdx.x == 0)
        ones[threadIdx.y] = 1;
    __syncthreads();
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, ones[threadIdx.y] * point.scale * at(in, x, y, c) + point.offset);
}
END
    gives 0 kernel check returned.cu --backend emulated
    ;;
*) says 'mine.cu: no compiler works' ;;
esac
if grep -q 'for kernel files alone: built without nvcc' <("$glint" list backends); then
    gives 2 batch invert in.ppm -o out.ppm --backend emulated
    says 'invert: the emulated backend cannot point'
    gives 2 bench convolve --backend emulated
    finish
fi

for chain in gaussian=1 invert,sharpen median=1 equalize; do
    gives 0 batch "$chain" in.ppm -o want.ppm --backend cpu --overwrite
    gives 0 batch "$chain" in.ppm -o have.ppm --backend emulated --overwrite --json report.json
    gives 0 compare want.ppm have.ppm --at-most max=1
done
json '.ms | has("decode") and any(.[]; . == null)' report.json
gives 0 batch gaussian=1 in.ppm -o have.ppm --backend emulated --overwrite --verbose
says 'gaussian \(no time\)'

gives 0 trace spheres=count=3 --size 24x16 -o spheres.ppm --backend emulated
says 'emulated: no time -> '
gives 0 trace spheres=count=3 --size 24x16 -o light.ppm --look paths --samples 2 --backend emulated --json trace.json
json '.ms | length > 0 and any(.[]; . == null)' trace.json

# A signal ends a launch that would take an hour.
gives 0 batch resize=2000:1500 in.ppm -o large.ppm --backend cpu
checks=$((checks + 1))
timeout --preserve-status --kill-after 120 --signal INT 3 "$glint" batch bilateral=90 large.ppm -o never.ppm --backend emulated --level naive --quiet
[ $? -eq 130 ] || complain "a signal ends a launch with another status than 130"
check "nothing is written" [ ! -e never.ppm ]

gives 0 bench convolve --backend emulated --size 64x48 --mask 3 --type u8x1 --json bench.json
tells '^emulated: .*; emulated: no times'
tells '^shared +agrees'
refute "a time is shown" grep -qE '[0-9] ms|Mpixel|GB/s' .out
json '.benchmarks | length > 3 and all(.[]; .real_time == null and .agrees)' bench.json
gives 0 bench reduce --backend emulated --size 64x48
gives 2 bench machine --backend emulated
says 'bench machine: emulated has no times'
gives 2 bench convolve --check-best --backend emulated
gives 2 bench chain --filter gaussian=1 --backend emulated
gives 2 tune --backend emulated
says 'tune: emulated has no times'
finish
