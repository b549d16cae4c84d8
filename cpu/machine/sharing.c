/* sharing.c: threads that each have a counter of their own, in one cache line or apart: false sharing. */
#include "cpu/machine/machine.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { ADDITIONS = 10000 };

typedef struct Job {
    char *counters;
    size_t apart; /* bytes */
    int threads;
} Job;

static Status run(Queue *queue, void *job) {
    const Job *of = job;
    (void)queue;
#pragma omp parallel num_threads(of->threads)
    {
        volatile uint64_t *own = (volatile uint64_t *)(void *)(of->counters + of->apart * (size_t)omp_get_thread_num());
        for (int i = 0; i < ADDITIONS; i++)
            *own = *own + 1;
    }
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const size_t bytes = (size_t)x * (size_t)queue->device->threads;
    void *memory;
    double ms = 0;
    *y = NAN;
    if (series > 0 && queue->device->threads < 2)
        return STATUS_OK;
    TRY(machine_memory(bytes, &memory));
    memset(memory, 0, bytes);
    Job job = {memory, (size_t)x, series == 0 ? 1 : queue->device->threads};
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = ms * 1e6 / ADDITIONS;
    return status;
}

const Experiment cpu_machine_sharing = {
    .name = "sharing",
    .title = "False sharing",
    .idea = "each thread adds to a counter of its own, so many bytes from the next thread's, without atomics",
    .advice = "Keep what different threads write at least 64 bytes apart, better 128: whoever writes a byte of a cache "
              "line takes the whole line away from the others.",
    .x = {"from counter to counter", "B", false},
    .y = {"time of an addition", "ns", false},
    .series = {"one thread", "all threads"},
    .points = {8, 16, 32, 64, 128, 256},
    .measure = measure,
};
