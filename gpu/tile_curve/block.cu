/* block.cu: a block for each curve: three sums over its bins. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/tiles.h"
}

enum { THREADS = 256, WARPS = THREADS / 32 };

typedef unsigned long long Sum;

/* The sum of the threads before this one; *all is that of all threads. */
static __device__ Sum sum_before(Sum mine, Sum *warps, Sum *all) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Sum upto = mine;
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const Sum other = __shfl_up_sync(0xFFFFFFFF, upto, apart);
        upto += lane >= apart ? other : 0;
    }
    __syncthreads();
    if (lane == 31)
        warps[warp] = upto;
    __syncthreads();
    Sum before = upto - mine;
    *all = 0;
#pragma unroll
    for (int i = 0; i < WARPS; i++) {
        before += i < warp ? warps[i] : 0;
        *all += warps[i];
    }
    return before;
}

static __device__ __forceinline__ void store_result(uint8_t *to, double value) {
    *to = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
}
static __device__ __forceinline__ void store_result(float *to, double value) {
    *to = (float)value;
}

template <typename T>
__global__ void __launch_bounds__(THREADS)
    tile_curve_block(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ TilesJob job) {
    __shared__ Sum warps[WARPS];
    const int bins = job.bins.count, run = (bins + THREADS - 1) / THREADS;
    const int first = min((int)threadIdx.x * run, bins), end = min(first + run, bins);
    const uint32_t *counts = row_of<uint32_t>(in, blockIdx.x);
    Sum mine = 0, total, cut, all;
    for (int i = first; i < end; i++)
        mine += counts[i];
    sum_before(mine, warps, &total);
    const uint32_t limit = clip_limit(job.clip, total, bins);
    mine = 0;
    for (int i = first; i < end; i++)
        mine += counts[i] > limit ? counts[i] - limit : 0;
    sum_before(mine, warps, &cut);
    const Clip clip = {limit, (uint32_t)bins, cut, job.type == PIXEL_U8};
    mine = 0;
    for (int i = first; i < end; i++)
        mine += clip_count(clip, counts[i], (uint32_t)i);
    Sum sum = sum_before(mine, warps, &all);
    for (int i = first; i < end; i++) {
        sum += clip_count(clip, counts[i], (uint32_t)i);
        store_result(row_to<T>(out, blockIdx.x) + i,
                     total ? (double)sum * job.white / (double)total : bin_value(job.bins, i));
    }
}

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    TilesJob job = *tiles_job_of(stage);
    const Launch launch = {dim3((unsigned)out.height), dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &job};
    return gpu_launch(queue, "tile_curve block",
                      stage->out.shape.type == PIXEL_U8 ? (const void *)tile_curve_block<uint8_t>
                                                        : (const void *)tile_curve_block<float>,
                      launch, arguments);
}

extern "C" const Level cuda_tile_curve_block = {
    .op = &op_tile_curve,
    .name = "block",
    .idea = "a block for each curve: sums over its bins by warp shuffles",
    .run = run,
};
