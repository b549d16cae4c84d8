/* lanes.c: multiply-adds in vectors of each width, by one thread. */
#include "cpu/course/machine/machine.h"
#include "cpu/isa.h"
#include "cpu/peak.h"

#include <math.h>

enum { ROUNDS = 20000, CHAINS = 12 };

#if defined(__GNUC__) && !defined(__clang__)
#    define ONE_BY_ONE __attribute__((optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#else
#    define ONE_BY_ONE
#endif

/* As cpu/peak.isa.c does in vectors. */
ONE_BY_ONE static float run_scalar(long rounds, double *flops) {
    float sums[CHAINS], sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sums[i] = (float)i;
    for (long round = 0; round < rounds; round++)
#pragma GCC unroll 12
        for (int i = 0; i < CHAINS; i++)
            sums[i] = sums[i] * 0.5f + 0.5f;
    for (int i = 0; i < CHAINS; i++)
        sum += sums[i];
    *flops = 2.0 * CHAINS * (double)rounds;
    return sum;
}

/* The widths, and from which instruction set on there are such vectors. */
static const struct {
    double lanes;
    Isa isa;
    PeakRun *const *run;
} widths[] = {{1, ISA_LEVEL_PORTABLE, NULL},
              {4, ISA_LEVEL_PORTABLE, &peak_run_portable},
              {8, ISA_LEVEL_AVX2, &peak_run_avx2},
              {16, ISA_LEVEL_AVX512, &peak_run_avx512}};

typedef struct Job {
    PeakRun *run;
    double flops;
} Job;

static Status run(Queue *queue, void *job) {
    Job *of = job;
    (void)queue;
    machine_want((uint64_t)of->run(ROUNDS, &of->flops));
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    (void)series;
    *y = NAN;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (widths[i].lanes >= x && widths[i].lanes <= x && widths[i].isa <= isa_detect()) {
            Job job = {widths[i].run ? *widths[i].run : run_scalar, 0};
            double ms = 0;
            TRY(experiment_time(queue, run, &job, &ms));
            *y = job.flops / ms / 1e6;
        }
    return STATUS_OK;
}

const Experiment cpu_machine_lanes = {
    .name = "lanes",
    .title = "Lanes of a vector",
    .idea = "twelve sums of multiply-adds in registers, by single values or vectors of so many lanes; from 8 lanes on "
            "a multiply-add is one instruction",
    .advice =
        "Write inner loops so that neighbouring values need the same operation and none waits for the one before: "
        "then they fill vectors.",
    .x = {"vector", "lanes", false},
    .y = {"rate", "GFLOP/s", false},
    .more_is_better = true,
    .series = {"one thread"},
    .points = {1, 4, 8, 16},
    .measure = measure,
};
