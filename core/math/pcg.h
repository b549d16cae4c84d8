/* pcg.h: PCG32, the project's one source of randomness.
 * M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
 * Generation", HMC-CS-2014-0905, 2014: the XSH-RR 64/32 member. */
#ifndef GLINT_CORE_MATH_PCG_H
#define GLINT_CORE_MATH_PCG_H

#include "core/math/host_device.h"

#include <stdint.h>

typedef struct Pcg {
    uint64_t state, increment;
} Pcg;

GLINT_HD uint32_t pcg_next(Pcg *pcg) {
    const uint64_t old = pcg->state;
    pcg->state = old * 6364136223846793005ULL + pcg->increment;
    const uint32_t mixed = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint32_t turn = (uint32_t)(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

/* `stream` chooses one of 2^63 sequences; equal seeds on different streams are independent. */
GLINT_HD Pcg pcg_seed(uint64_t seed, uint64_t stream) {
    Pcg pcg = {0, stream << 1 | 1};
    (void)pcg_next(&pcg);
    pcg.state += seed;
    (void)pcg_next(&pcg);
    return pcg;
}

/* As after so many calls of pcg_next (F. Brown, "Random Number Generation with Arbitrary Strides", 1994): to skip 2 s
 * is to skip s with the square of the multiplier. */
GLINT_HD Pcg pcg_skip(Pcg pcg, uint64_t skipped) {
    uint64_t times = 6364136223846793005ULL, plus = pcg.increment;
    for (; skipped > 0; skipped >>= 1) {
        if (skipped & 1)
            pcg.state = pcg.state * times + plus;
        plus *= times + 1;
        times *= times;
    }
    return pcg;
}

/* Uniform in [0, 1), a multiple of 2^-24, so that it is exact in f32. */
GLINT_HD float pcg_float(Pcg *pcg) {
    return (float)(pcg_next(pcg) >> 8) * 0x1p-24f;
}

#endif
