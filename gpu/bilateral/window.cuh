/* window.cuh: the parts that the kernels of bilateral share: the job as they see it, and weights by distance. */
#ifndef GLINT_GPU_BILATERAL_WINDOW_CUH
#define GLINT_GPU_BILATERAL_WINDOW_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/bilateral.h"
}

/* Coordinates that are mostly inside. */
static __device__ __noinline__ int bilateral_outside(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}
static __device__ __forceinline__ int bilateral_index(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : bilateral_outside(mode, i, n);
}

/* log2 of a neighbour's weight by its distance. */
static inline double bilateral_space(const BilateralJob *job, int x, int y) {
    return -(x * x + y * y) * 0.7213475204444817 /* log2(e) / 2 */ / (job->space * job->space);
}

/* How far a disk reaches in a row or column so far from its middle. */
static __host__ __device__ constexpr int bilateral_reach(int radius, int away) {
    int reach = radius;
    while (reach * reach + away * away > radius * radius)
        reach--;
    return reach;
}

/* Whether single precision and one picture do. */
static inline bool accepts_single(const Stage *stage, const char **why_not) {
    *why_not = "it reads one picture, which is its own guide";
    if (bilateral_job(stage)->joint)
        return false;
    *why_not = "single precision would round too many of 16 bits differently";
    if (stage->in[0].shape.type == PIXEL_U16)
        return false;
    *why_not = "it stores pixels of the type that it reads";
    return stage->out.shape.type == stage->in[0].shape.type;
}

#endif
