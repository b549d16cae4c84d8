/* sampler.h: well spread random points for integrals. They are Sobol's first two dimensions, shuffled and scrambled as
 * Owen does, by hashing (Burley, Practical Hash-based Owen Scrambling, JCGT 9(4), 2020). */
#ifndef GLINT_CORE_MATH_SAMPLER_H
#define GLINT_CORE_MATH_SAMPLER_H

#include "core/math/host_device.h"

#include <stdint.h>

enum {
    DEPTH_MAX = 16,       /* surfaces on the way of light, for Whitted's look; paths may have any number */
    SAMPLES_MAX = 1 << 20 /* of a pixel: their number, and sums of them, are floats */
};

/* For paths: no limit, Russian roulette ends them. */
#define DEPTH_ENDLESS UINT32_MAX

/* The samples to add, numbered from 0; those of a seed are always the same. */
typedef struct Sampling {
    uint32_t first, samples;
    uint32_t seed;
    uint32_t depth; /* surfaces that light is scattered by on its way from lamps, suns and the sky to the eye, from 1 */
} Sampling;

GLINT_HD uint32_t sampler_hash(uint32_t a, uint32_t b) {
    uint32_t x = a ^ (b + 0x9E3779B9u + (a << 6) + (a >> 2));
    x = (x ^ (x >> 16)) * 0x7FEB352Du; /* lowbias32, Wellons, Prospecting for Hash Functions, 2018 */
    x = (x ^ (x >> 15)) * 0x846CA68Bu;
    return x ^ (x >> 16);
}

GLINT_HD uint32_t sampler_reverse(uint32_t x) {
#ifdef GLINT_ON_DEVICE
    return __brev(x);
#else
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00FF00FFu) << 8) | ((x & 0xFF00FF00u) >> 8);
    x = ((x & 0x0F0F0F0Fu) << 4) | ((x & 0xF0F0F0F0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xCCCCCCCCu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xAAAAAAAAu) >> 1);
#endif
}

/* An Owen scrambling of x, read from its highest bit down. */
GLINT_HD uint32_t sampler_scramble(uint32_t x, uint32_t seed) {
    x = sampler_reverse(x) + seed;
    x ^= x * 0x6C50B47Cu;
    x ^= x * 0xB82F1E52u;
    x ^= x * 0xC7AFE638u;
    x ^= x * 0x8D22F6E6u;
    return sampler_reverse(x);
}

/* Sobol's second dimension, whose matrix is Pascal's triangle modulo 2. Bit k is therefore the sum of the index's bits
 * j whose places contain all ones of k. (The first dimension is the index with its bits reversed.) */
GLINT_HD uint32_t sampler_pascal(uint32_t index) {
    index ^= index >> 1 & 0x55555555u;
    index ^= index >> 2 & 0x33333333u;
    index ^= index >> 4 & 0x0F0F0F0Fu;
    index ^= index >> 8 & 0x00FF00FFu;
    index ^= index >> 16;
    return sampler_reverse(index);
}

/* Point `index` of the sequence in the plane that `seed` names, in [0, 1) x [0, 1). */
GLINT_HD void sampler_point(uint32_t index, uint32_t seed, float *x, float *y) {
    const uint32_t shuffled = sampler_scramble(index, seed);
    *x = (float)(sampler_scramble(sampler_reverse(shuffled), sampler_hash(seed, 1)) >> 8) * 0x1p-24f;
    *y = (float)(sampler_scramble(sampler_pascal(shuffled), sampler_hash(seed, 2)) >> 8) * 0x1p-24f;
}

#endif
