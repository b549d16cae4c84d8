/* alpha.cuh: bytes times their alpha as f32, and back to bytes, rounded as double does. Nothing here can be contracted
 * to another result. */
#ifndef GLINT_GPU_POINT_ALPHA_CUH
#define GLINT_GPU_POINT_ALPHA_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/math/alpha.h"
}

/* A whole product by 255, correctly rounded. */
static __device__ __forceinline__ float by_white(float product) {
    const float inverse = 1.0f / 255, quotient = product * inverse;
    return fmaf(fmaf(-quotient, 255, product), inverse, quotient);
}

/* Colours by alpha as u8; false where it is not clear how the reference rounds. */
template <int C> static __device__ __forceinline__ bool unpremultiply(float (&v)[C]) {
    const float alpha = v[C - 1], factor = alpha > 255 * (float)ALPHA_NONE ? __fdividef(255, alpha) : 0;
    float made[C];
    bool clear = alpha < 1e30f; /* beyond that __fdividef gives up */
#pragma unroll
    for (int c = 0; c < C; c++) {
        const float wanted = c < C - 1 ? v[c] * factor : alpha;
        const float clamped = fminf(fmaxf(wanted, 0.0f), 256.0f), rounded = (clamped + 12582912.0f) - 12582912.0f;
        clear &= fabsf(clamped - rounded) < 0.4999f;
        made[c] = fminf(rounded, 255.0f);
    }
    if (clear)
#pragma unroll
        for (int c = 0; c < C; c++)
            v[c] = made[c];
    return clear;
}

/* The same in double, always clear. */
template <int C> static __device__ __forceinline__ void unpremultiply_exactly(float (&v)[C]) {
    const double alpha = (double)v[C - 1] / 255;
#pragma unroll
    for (int c = 0; c < C; c++) {
        const double wanted = c == C - 1 ? (double)v[c] : alpha > ALPHA_NONE ? (double)v[c] / alpha : 0;
        v[c] = (float)__double2int_rn(fmin(fmax(wanted, 0.0), 255.0));
    }
}

#endif
