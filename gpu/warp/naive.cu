/* naive.cu: one thread a result pixel: its place in double, its neighbours from global memory. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/warp.h"
}

typedef struct Warp {
    WarpMap map;
    BorderMode border;
    float outside[4];
    float bias;
} Warp;

/* The first of the pixels around, and their weights. */
template <typename Acc, int TAPS> static __device__ __forceinline__ int weigh(double at, Acc (&weights)[TAPS]) {
    const double below = floor(at);
    if (TAPS == 1) {
        weights[0] = 1;
        return (int)floor(at + 0.5 + WARP_TIE);
    }
    double by[4] = {1 - (at - below), at - below, 0, 0};
    if (TAPS == 4)
        warp_cubic(at - below, by);
#pragma unroll
    for (int i = 0; i < TAPS; i++)
        weights[i] = (Acc)by[i];
    return (int)below - (TAPS == 4);
}

template <typename In, int C, int TAPS> __global__ void warp_naive(Plane in, Plane out, Warp job) {
    typedef typename Accumulator<In>::Type Acc;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    double u, v;
    Acc across[TAPS], down[TAPS], sums[C] = {};
    warp_place(&job.map, x, y, &u, &v);
    const int left = weigh<Acc, TAPS>(u, across), top = weigh<Acc, TAPS>(v, down);
    int columns[TAPS];
#pragma unroll
    for (int i = 0; i < TAPS; i++)
        columns[i] = (int)border_index(job.border, left + i, in.width);
#pragma unroll
    for (int j = 0; j < TAPS; j++) {
        const int line = (int)border_index(job.border, top + j, in.height);
        const In *row = row_of<In>(in, line < 0 ? 0 : line);
        Acc row_sums[C] = {};
#pragma unroll
        for (int i = 0; i < TAPS; i++)
#pragma unroll
            for (int c = 0; c < C; c++)
                row_sums[c] +=
                    across[i] * (line < 0 || columns[i] < 0 ? (Acc)job.outside[c] : (Acc)row[columns[i] * C + c]);
#pragma unroll
        for (int c = 0; c < C; c++)
            sums[c] += down[j] * row_sums[c];
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        row_to<In>(out, y)[x * C + c] = Stored<In>::from(sums[c] + (Acc)job.bias);
}

#define BY_TAPS(In, C)                                                                                                 \
    { (const void *)warp_naive<In, C, 1>, (const void *)warp_naive<In, C, 2>, (const void *)warp_naive<In, C, 4> }
#define BY_CHANNELS(In)                                                                                                \
    { BY_TAPS(In, 1), BY_TAPS(In, 2), BY_TAPS(In, 3), BY_TAPS(In, 4) }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4][WARP_KERNELS] = {BY_CHANNELS(uint8_t), BY_CHANNELS(uint16_t),
                                                                      BY_CHANNELS(float)};
    const WarpJob *job = warp_job(stage);
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const bool exact = shape.type == PIXEL_F32 || job->kernel == WARP_NEAREST;
    Warp warp = {job->map,
                 job->border,
                 {job->outside[0], job->outside[1], job->outside[2], job->outside[3]},
                 exact ? 0.0f : (float)TIE_BIAS};
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &warp};
    return gpu_launch(queue, "warp naive", kernels[shape.type][shape.channels - 1][job->kernel], launch, arguments);
}

extern "C" const Level cuda_warp_naive = {
    .op = &op_warp,
    .name = "naive",
    .idea = "one thread a pixel: its place by a map, its neighbours from global memory, which the caches keep",
    .run = run,
};
