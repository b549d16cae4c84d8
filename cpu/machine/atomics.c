/* atomics.c: threads that add to the same few addresses. */
#include "cpu/machine/machine.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

enum { ADDITIONS = 4000, ADDRESSES_MAX = 1024 };

typedef struct Counter {
    _Alignas(LINE_BYTES) _Atomic uint64_t value;
} Counter;

typedef struct Job {
    Counter *counters;
    uint32_t count;
    int threads;
} Job;

static Status run(Queue *queue, void *job) {
    const Job *of = job;
    (void)queue;
#pragma omp parallel num_threads(of->threads)
    {
        uint32_t at = of->count / (uint32_t)of->threads * (uint32_t)omp_get_thread_num(); /* not all the same way */
        for (int i = 0; i < ADDITIONS; i++) {
            at = CHAIN_NEXT(at, of->count);
            atomic_fetch_add_explicit(&of->counters[at].value, 1, memory_order_relaxed);
        }
    }
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    void *memory;
    double ms = 0;
    *y = NAN;
    if (series > 0 && queue->device->threads < 2)
        return STATUS_OK;
    TRY(machine_memory(ADDRESSES_MAX * sizeof(Counter), &memory));
    memset(memory, 0, ADDRESSES_MAX * sizeof(Counter));
    Job job = {memory, (uint32_t)x, series == 0 ? 1 : queue->device->threads};
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = ms * 1e6 / ADDITIONS;
    return status;
}

const Experiment cpu_machine_atomics = {
    .name = "atomics",
    .title = "Atomic additions",
    .idea = "each thread adds to one of so many counters after the other, by atomics, each counter in a cache line of "
            "its own",
    .advice = "Give each thread a counter of its own and add these up at the end: a line that two cores write moves "
              "between their caches at every addition.",
    .x = {"shared", "counters", false},
    .y = {"time of an addition", "ns", false},
    .series = {"one thread", "all threads"},
    .points = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
    .measure = measure,
};
