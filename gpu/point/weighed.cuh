/* weighed.cuh: results of kernels that take in bytes times their alpha, and leave bytes by it. */
#ifndef GLINT_GPU_POINT_WEIGHED_CUH
#define GLINT_GPU_POINT_WEIGHED_CUH

#include "gpu/point/alpha.cuh"

extern "C" {
#include "gpu/point/weighed.h"
}

/* Colours by alpha as bytes, which are a word. */
template <int C> static __device__ __forceinline__ uint32_t bytes_by_alpha(float (&v)[C]) {
    uint32_t word = 0;
    if (!unpremultiply<C>(v))
        unpremultiply_exactly<C>(v);
#pragma unroll
    for (int c = 0; c < C; c++)
        word |= (uint32_t)v[c] << 8 * c;
    return word;
}

#endif
