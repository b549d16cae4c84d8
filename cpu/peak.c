/* peak.c: multiply-adds on all threads at once, timed. */
#include "cpu/peak.h"

#include "core/timing.h"
#include "cpu/isa.h"

enum { ROUNDS = 50000 };
#define LIMIT_MS 50.0

static PeakRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &peak_run_portable,
    [ISA_LEVEL_AVX2] = &peak_run_avx2,
    [ISA_LEVEL_AVX512] = &peak_run_avx512,
};

/* The best of many short runs: a ceiling is what was reached once, undisturbed. */
Status cpu_peak(Device *device, double *flops) {
    PeakRun *const run = *runs[isa_detect()];
    *flops = 0;
    for (const double begin = clock_ms(); clock_ms() - begin < LIMIT_MS;) {
        volatile float result; /* the sums are wanted, as far as the compiler knows */
        double done = 0;
        float sum = 0;
        const double start = clock_ms();
#pragma omp parallel num_threads(device->threads) reduction(+ : done, sum)
        {
            double mine = 0;
            sum += run(ROUNDS, &mine);
            done += mine;
        }
        result = sum;
        (void)result;
        const double reached = done / (clock_ms() - start) * 1e3;
        *flops = reached > *flops ? reached : *flops;
    }
    return STATUS_OK;
}
