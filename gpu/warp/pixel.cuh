/* pixel.cuh: a pixel of a warp, straight from the picture. */
#ifndef GLINT_GPU_WARP_PIXEL_CUH
#define GLINT_GPU_WARP_PIXEL_CUH

#include "gpu/kernel.cuh"

#include "gpu/point/alpha.cuh"

extern "C" {
#include "core/ops/warp.h"
#include "gpu/warp/measured.h"
}

typedef struct Warp {
    WarpMap map;
    BorderMode border;
    float outside[4];
    float bias;
} Warp;

/* The job of the operation alone, without the points that go along. */
static inline Warp warp_of(const Stage *stage) {
    const WarpJob *job = warp_job(stage);
    const bool exact = stage_shape_made(stage).type == PIXEL_F32 || job->kernel == WARP_NEAREST;
    const Warp warp = {job->map,
                       job->border,
                       {job->outside[0], job->outside[1], job->outside[2], job->outside[3]},
                       exact ? 0.0f : (float)TIE_BIAS};
    return warp;
}

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

/* WEIGHED: colours of bytes times their alpha become a pixel of f32, and bytes again. */
template <typename In, int C, int TAPS, bool WEIGHED>
static __device__ __forceinline__ void warp_pixel(const Plane &in, const Plane &out, const Warp &job, int x, int y) {
    typedef typename Accumulator<In>::Type Acc;
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
            for (int c = 0; c < C; c++) {
                const In *pixel = row + columns[i] * C;
                const bool beyond = line < 0 || columns[i] < 0;
                const bool times = WEIGHED && c < C - 1;
                const Acc inside = beyond  ? (Acc)0
                                   : times ? (Acc)by_white((float)pixel[c] * (float)pixel[C - 1])
                                           : (Acc)pixel[c];
                row_sums[c] += across[i] * (beyond ? (Acc)job.outside[c] : inside);
            }
#pragma unroll
        for (int c = 0; c < C; c++)
            sums[c] += down[j] * row_sums[c];
    }
    if constexpr (WEIGHED)
        if (!unpremultiply<C>(sums))
            unpremultiply_exactly<C>(sums);
#pragma unroll
    for (int c = 0; c < C; c++)
        row_to<In>(out, y)[x * C + c] = Stored<In>::from(sums[c] + (Acc)job.bias);
}

#endif
