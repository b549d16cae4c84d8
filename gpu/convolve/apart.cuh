/* apart.cuh: sums of u16 in f32, which need more than its 24 bits. Values are taken less their middle, and weights are
 * taken apart. One part are multiples of a power of two so large that sums of these are exact. The rests are so small
 * that the rounding of their sums does not matter. */
#ifndef GLINT_GPU_CONVOLVE_APART_CUH
#define GLINT_GPU_CONVOLVE_APART_CUH

#include "gpu/convolve/sum.cuh"

extern "C" {
#include "gpu/convolve/accepts.h"
}

#include <type_traits>

/* Adding and subtracting these rounds f32 numbers to multiples of two and of one. */
#define EVENS  0x1.8p24F
#define WHOLES 0x1.8p23F

#define APART_ERROR_MAX 8e-4 /* standard deviation of the sums' errors */

/* The share of the values' middle in a result: an even number, and the rest. */
typedef struct Offset {
    float even, more;
} Offset;

static inline Offset offset_of(double sum_of_weights) {
    const double all = 32768 * sum_of_weights, even = 2 * rint(all / 2);
    const Offset offset = {(float)even, (float)(all - even)};
    return offset;
}

/* An exact sum, a small rest and the offset; for whole numbers, rounded once: the even parts keep halves even. */
template <typename Out> static __device__ __forceinline__ float join(float sum, float rest, const Offset &offset) {
    rest += offset.more;
    if (sizeof(Out) == sizeof(float))
        return (sum + offset.even) + rest;
    const float even = (sum + EVENS) - EVENS, more = (sum - even) + rest;
    return (even + offset.even) + ((more + WHOLES) - WHOLES);
}

/* Takes `count` weights apart. Returns by how much a sum of rests is off. Values of noise deviate from their middle by
 * 18918, and sums of rests by that times the root of the rests' squares. In a picture that is all black or white, sums
 * deviate by half the range times the rests' sum. Each addition rounds by up to 2^-25 of that. */
static inline double take_apart(const double *weights, int count, float *multiples, float *rests) {
    double sum = 0, whole = 0, squares = 0, rest_sum = 0;
    for (int i = 0; i < count; i++)
        sum += fabs(weights[i]);
    double unit = ldexp(1, (int)ceil(log2(sum / 512)));
    for (int i = 0; i < count; i++)
        whole += fabs(rint(weights[i] / unit));
    if (whole > 512) /* they were rounded up */
        unit *= 2;
    for (int i = 0; i < count; i++) {
        const double multiple = rint(weights[i] / unit) * unit, rest = weights[i] - multiple;
        multiples[i] = (float)multiple;
        rests[i] = (float)rest;
        squares += rest * rest;
        rest_sum += rest;
    }
    return (18918 * sqrt(squares) + 32768 * fabs(rest_sum)) * 0x1p-25 * sqrt(count);
}

/* Whether many sums lie halfway between two whole numbers: those of whole weights with an even divisor. */
static inline bool halves_occur(const Mask *mask) {
    bool whole = mask->divisor == rintf(mask->divisor);
    for (int i = 0; i < mask->width * mask->height && whole; i++)
        whole = mask->weights[i] == rintf(mask->weights[i]);
    return whole && fmodf(mask->divisor, 2) == 0;
}

#endif
