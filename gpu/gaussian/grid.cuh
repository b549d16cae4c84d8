/* grid.cuh: the parts that the kernels of gaussian share: a picture's rows as rows of values, and the weights of its
 * axes. */
#ifndef GLINT_GPU_GAUSSIAN_GRID_CUH
#define GLINT_GPU_GAUSSIAN_GRID_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/gaussian.h"
}

/* Out of line, since few threads need it and its divisions are long. */
static __device__ __noinline__ int outside_index(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}

/* border_index for coordinates that are mostly inside. */
static __device__ __forceinline__ int inside_index(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : outside_index(mode, i, n);
}

#endif
