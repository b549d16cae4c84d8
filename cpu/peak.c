/* peak.c: multiply-adds on all threads at once, timed. */
#include "cpu/peak.h"

#include "core/timing.h"
#include "cpu/isa.h"

#include <math.h>

enum { ROUNDS = 50000 };
#define LIMIT_MS 50.0

static PeakRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &peak_run_portable,
    [ISA_LEVEL_AVX2] = &peak_run_avx2,
    [ISA_LEVEL_AVX512] = &peak_run_avx512,
};

/* The threads' best short runs together: a ceiling is what was reached once, undisturbed, and where other programs have
 * a part of the processor, no two threads are undisturbed at the same moment. */
Status cpu_peak(Queue *queue, double *flops) {
    PeakRun *const run = *runs[isa_detect()];
    double rate = 0;
    float sum = 0;
#pragma omp parallel num_threads(queue->device->threads) reduction(+ : rate, sum)
    {
        double best = 0;
        for (const double begin = clock_ms(); clock_ms() - begin < LIMIT_MS;) {
            double done = 0;
            const double start = clock_ms();
            sum += run(ROUNDS, &done);
            best = fmax(best, done / (clock_ms() - start) * 1e3);
        }
        rate += best;
    }
    volatile float wanted = sum; /* as far as the compiler knows */
    (void)wanted;
    *flops = rate;
    return STATUS_OK;
}
