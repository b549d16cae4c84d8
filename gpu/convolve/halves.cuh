/* halves.cuh: bytes and weights as 16-bit floats. A whole number n of up to 10 bits is the bit pattern of the float
 * n * 2^-24, a denormal. Bytes are only spread into 16-bit fields. */
#ifndef GLINT_GPU_CONVOLVE_HALVES_CUH
#define GLINT_GPU_CONVOLVE_HALVES_CUH

#include "gpu/convolve/sum.cuh"

#include <cuda_fp16.h>

#define BASE      0x1.8p23F  /* base + x holds x rounded in its low bits, */
#define BASE_BITS 0x4B400000 /* less these */

static __device__ __forceinline__ uint32_t even_bytes(uint32_t word) {
    return word & 0x00FF00FF;
}
static __device__ __forceinline__ uint32_t odd_bytes(uint32_t word) {
    return __byte_perm(word, 0, 0x4341);
}

/* Sums of 16-bit floats, which another unit than that of whole numbers adds. */
static __device__ __forceinline__ uint32_t add_halves(uint32_t a, uint32_t b) {
    uint32_t sum;
    asm("add.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

/* Weights as 16-bit floats: weight * scale, rounded. */
typedef struct Halves {
    double scale,
        ratio;    /* sums of rounded weights are to be multiplied by `ratio`, so that flat areas keep their value */
    double error; /* as FixedPointMask.error; 0: nothing was rounded */
} Halves;

static inline double half_of(double value) {
    return (double)__half2float(__double2half(value));
}

static inline Halves halves_of(const Mask *mask) {
    const int count = mask->width * mask->height;
    double max = 0, sum = 0, rounded = 0, squares = 0, rests = 0, all = 0;
    bool whole = true;
    for (int i = 0; i < count; i++) {
        max = fmax(max, fabs((double)mask->weights[i]));
        all += fabs((double)mask->weights[i]);
        whole &= mask->weights[i] == rintf(mask->weights[i]);
    }
    if (whole && max <= 2048 && all * 255 <= 0x1p24)
        return {1, 1, 0};
    Halves halves = {1024 / max, 1, 0};
    for (int i = 0; i < count; i++) {
        sum += (double)mask->weights[i] * halves.scale;
        rounded += half_of((double)mask->weights[i] * halves.scale);
    }
    if (fabs(sum - rounded) < fabs(sum) / 64)
        halves.ratio = sum / rounded;
    for (int i = 0; i < count; i++) {
        const double exact = (double)mask->weights[i] * halves.scale, rest = exact - half_of(exact) * halves.ratio;
        squares += rest * rest;
        rests += rest;
    }
    const double noise = 73.9, mean = 127.5; /* of bytes: the standard deviation, and the mean */
    halves.error =
        sqrt(noise * noise * squares + mean * mean * rests * rests) / (halves.scale * fabs((double)mask->divisor)) +
        0x1p-25 * 255 * mask_absolute_sum(mask) * mask->height; /* sums are cut off to 24 bits */
    return halves;
}

#endif
