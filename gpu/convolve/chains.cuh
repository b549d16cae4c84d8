/* chains.cuh: sums of u16 in f32 by one multiply-add a weight. Values are taken less their middle. Each row of the mask
 * is summed by itself, so that the sums that round are small. From group to group of rows the even part of a sum is put
 * aside, where whole numbers are exact. */
#ifndef GLINT_GPU_CONVOLVE_CHAINS_CUH
#define GLINT_GPU_CONVOLVE_CHAINS_CUH

#include "gpu/convolve/apart.cuh"

#define CHAINS_ERROR_MAX                                                                                               \
    1.1e-3 /* standard deviation of what sums are off by: nine in ten thousand round differently                       \
            */

enum { CHAINS_MAX = 15 /* a side of masks */, CHAIN_BITS = 0x4B400000 /* of CHAIN_BASE */ };
#define CHAIN_BASE 0x1.8p23F

/* The group that row j of K begins, of three for large masks; 0: none but the first. */
static __host__ __device__ constexpr int begins_group(int k, int j) {
    const int groups = k > 9 ? 3 : 2;
    return j == (k + groups - 1) / groups ? 1 : groups == 3 && j == (2 * k + groups - 1) / groups ? 2 : 0;
}

/* The weights, divided; the value that sums begin with, and CHAIN_BASE more than the rest of the share of the values'
 * middle. */
template <int K> struct Chains {
    float weights[K * K];
    float start, whole;
};

/* The sum of a result so far. */
struct Chained {
    float sum, even;
};

/* Row J of the mask: value(k) is that under its weight k. */
template <int K, typename F>
static __device__ __forceinline__ void chain_row(const Chains<K> &chains, int j, F value, Chained &chained) {
    float sum = j == 0 ? chains.start : 0;
    const int begins = begins_group(K, j);
    if (begins > 0) {
        const float even = (chained.sum + EVENS) - EVENS;
        sum = chained.sum - even;
        chained.even = begins > 1 ? chained.even + even : even;
    }
#pragma unroll
    for (int k = 0; k < K; k++)
        sum = j > 0 && begins == 0 && k == 0 ? chains.weights[j * K] * value(0)
                                             : fmaf(chains.weights[j * K + k], value(k), sum);
    chained.sum = j == 0 || begins > 0 ? sum : chained.sum + sum;
}

/* The result, rounded to even, CHAIN_BASE too large. */
template <int K> static __device__ __forceinline__ float chain_end(const Chains<K> &chains, const Chained &chained) {
    return (chained.sum + chains.whole) + chained.even;
}

/* The largest power of two of which all are multiples. */
static inline double unit_of(const float *weights, int count) {
    double unit = INFINITY;
    for (int i = 0; i < count; i++) {
        int exponent = 0;
        const long digits = (long)ldexp(frexp((double)weights[i], &exponent), 24);
        if (digits != 0)
            unit = fmin(unit, ldexp((double)(digits & -digits), exponent - 24));
    }
    return unit;
}

/* Variance of the rounding of a sum of absolute value `sum`, in multiples of `unit`. */
static inline double rounding_of(double sum, double unit) {
    const double last = 0.2887 * ldexp(1, ilogb(sum) - 23);
    return sum <= 0x1p24 * unit ? 0 : last * last;
}

/* Makes the chains' numbers, K * K weights first (struct Chains). False where too many values would round differently
 * from sums in double. */
static inline bool chains_of(const Stage *stage, float *numbers) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    const int k = mask->width, count = k * mask->height;
    const double all = mask_absolute_sum(mask);
    double squares = 0, rests = 0, sum = 0, group = 0, variance = 0;
    if (k != mask->height || k % 2 == 0 || k < 3 || k > CHAINS_MAX || job->bias != 0 ||
        job->border.value != rintf(job->border.value) || job->border.value < 0 || job->border.value > 65535 ||
        !(all > 0x1p-20 && all <= 16))
        return false;
    for (int i = 0; i < count; i++) {
        const double weight = (double)mask->weights[i] / (double)mask->divisor;
        numbers[i] = (float)weight;
        const double rest = weight - (double)numbers[i];
        squares += rest * rest;
        rests += rest;
        sum += weight;
    }
    const Offset offset = offset_of(sum);
    numbers[count] = offset.more;
    numbers[count + 1] = CHAIN_BASE + offset.even;
    const double unit = unit_of(numbers, count);
    for (int j = 0; j < k; j++) {
        const bool begins = j == 0 || begins_group(k, j) > 0;
        double row = begins ? 1 : 0;
        for (int i = 0; i < k; i++) {
            row += 32768 * fabs((double)numbers[j * k + i]);
            variance += row > 0 ? rounding_of(row, unit) : 0;
        }
        group = begins ? row : group + row;
        variance += begins ? 0 : rounding_of(group, unit);
    }
    const double error = sqrt(variance + 18918.0 * 18918.0 * squares) + 32768 * fabs(rests);
    return rounds_alike(stage, error, CHAINS_ERROR_MAX) && (error == 0 || !halves_occur(mask));
}

#endif
