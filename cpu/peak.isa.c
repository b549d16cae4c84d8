/* peak.isa.c: multiply-adds in vectors that do not wait for each other. */
#include "cpu/peak.h"
#include "cpu/isa.h"

enum { CHAINS = 12, LANES = VECTOR_BYTES / sizeof(float) };

typedef float Vector __attribute__((vector_size(VECTOR_BYTES)));

static float run(long rounds, double *flops) {
    Vector sums[CHAINS];
    const Vector factor = (Vector){0} + 0.5f;
    for (int i = 0; i < CHAINS; i++)
        sums[i] = (Vector){0} + (float)i;
    for (long round = 0; round < rounds; round++)
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            sums[i] = sums[i] * factor + factor;
    float sum = 0;
    for (int i = 0; i < CHAINS; i++)
        for (int lane = 0; lane < LANES; lane++)
            sum += sums[i][lane];
    *flops = 2.0 * CHAINS * LANES * (double)rounds;
    return sum;
}

PeakRun *const ISA_NAME(peak_run) = run;
