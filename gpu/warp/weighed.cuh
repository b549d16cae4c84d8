/* weighed.cuh: bytes whose colours count by their alpha, in one kernel. A result is the same as that of three stages:
 * colours times alpha as f32, a warp of f32, and colours by alpha as bytes. */
#ifndef GLINT_GPU_WARP_WEIGHED_CUH
#define GLINT_GPU_WARP_WEIGHED_CUH

#include "gpu/point/weighed.cuh"
#include "gpu/warp/texel.cuh"

static __device__ __forceinline__ float byte_of(uint32_t word, int byte) {
    return __uint_as_float(__byte_perm(word, exponent(), 0x7440 + byte)) - 8388608.0f;
}

/* Colours of a pixel times its alpha. */
template <int C> static __device__ __forceinline__ float times_alpha(uint32_t word, int c) {
    const float value = byte_of(word, c);
    return c == C - 1 ? value : by_white(value * byte_of(word, C - 1));
}

/* The mean of four pixels, a step after the other. */
template <int C>
static __device__ __noinline__ uint32_t mean_by_steps(uint32_t first, uint32_t next, uint32_t below, uint32_t last,
                                                      float t, float s) {
    float v[C];
#pragma unroll
    for (int c = 0; c < C; c++)
        v[c] = mean_of(times_alpha<C>(first, c), times_alpha<C>(next, c), times_alpha<C>(below, c),
                       times_alpha<C>(last, c), t, s);
    return bytes_by_alpha<C>(v);
}

#define LEAST_ALPHA  0.01f   /* of 255; less is left to the steps, but none at all */
#define MOST_TO_HALF 0.4995f /* how far a colour is from a whole number where the steps may not round otherwise */

/* The mean of four pixels: weights times alphas weigh the colours, and their sum is the mean of alpha. */
template <int C>
static __device__ __forceinline__ void linear_weighed(const uint32_t *tile, int pitch, uint32_t right, uint32_t down,
                                                      Result<uint8_t, C> *to) {
    const uint32_t pixels[4] = {tile[0], tile[1], tile[pitch], tile[pitch + 1]};
    const float shift = 12582912.0f; /* 1.5 * 2^23: a sum with it has the nearest whole number in its lowest bits */
    float t, s, weights[4], alpha = 0;
    uint32_t bytes[C];
    fraction(right, &t);
    fraction(down, &s);
    weights[0] = (1 - t) * (1 - s), weights[1] = t * (1 - s), weights[2] = (1 - t) * s, weights[3] = t * s;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        weights[i] *= byte_of(pixels[i], C - 1);
        alpha += weights[i];
    }
    bool clear = alpha > LEAST_ALPHA || alpha == 0;
    const float factor = __fdividef(1, fmaxf(alpha, LEAST_ALPHA));
#pragma unroll
    for (int c = 0; c < C; c++) {
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 4 && c < C - 1; i++)
            sum = fmaf(weights[i], byte_of(pixels[i], c), sum);
        const float value = c < C - 1 ? sum * factor : alpha, shifted = value + shift;
        clear &= fabsf(value - (shifted - shift)) < MOST_TO_HALF;
        bytes[c] = __float_as_uint(shifted);
    }
    to->word = __byte_perm(bytes[0], bytes[1], 0x0040);
    if constexpr (C == 4)
        to->word = __byte_perm(to->word, __byte_perm(bytes[2], bytes[3], 0x0040), 0x5410);
    else
        to->word &= 0xffff;
    if (!clear)
        to->word = mean_by_steps<C>(pixels[0], pixels[1], pixels[2], pixels[3], t, s);
}

#endif
