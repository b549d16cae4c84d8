/* window.cuh: what the kernels of bilateral share: the job as they see it, values by types known at run time. */
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

#endif
