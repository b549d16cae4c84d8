/* peak.c: multiply-adds on all threads at once, timed. */
#include "cpu/peak.h"

#include "core/base/timing.h"
#include "cpu/isa.h"
#include "cpu/team.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 50000 };
#define LIMIT_MS 50.0

static PeakRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &peak_run_portable,
    [ISA_LEVEL_AVX2] = &peak_run_avx2,
    [ISA_LEVEL_AVX512] = &peak_run_avx512,
};

typedef struct Peaks {
    double *rates; /* of each thread */
} Peaks;

static void run_one(const void *job, size_t piece, size_t thread) {
    PeakRun *const run = *runs[isa_detect()];
    volatile float wanted = 0; /* as far as the compiler knows */
    double best = 0;
    (void)thread;
    for (const double begin = clock_ms(); clock_ms() - begin < LIMIT_MS;) {
        double done = 0;
        const double start = clock_ms();
        wanted = wanted + run(ROUNDS, &done);
        best = fmax(best, done / (clock_ms() - start) * 1e3);
    }
    ((const Peaks *)job)->rates[piece] = best;
}

/* The threads' best short runs together. A ceiling is a figure that was reached once, undisturbed. Where other programs
 * have a part of the processor, no two threads are undisturbed at the same moment. */
Status cpu_peak(Queue *queue, double *flops) {
    const size_t threads = (size_t)queue->device->threads;
    double *rates = calloc(threads, sizeof *rates);
    if (!rates)
        return fail(STATUS_DEVICE, "no memory to measure the peak");
    cpu_share(queue, threads, run_one, &(Peaks){rates});
    *flops = 0;
    for (size_t i = 0; i < threads; i++)
        *flops += rates[i];
    free(rates);
    return STATUS_OK;
}
