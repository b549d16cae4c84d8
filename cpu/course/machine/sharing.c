/* sharing.c: threads that each have a counter of their own, in one cache line or apart: false sharing. */
#include "cpu/course/machine/contest.h"
#include "cpu/course/machine/machine.h"

#include <math.h>
#include <string.h>

typedef struct Job {
    char *counters;
    size_t apart; /* bytes */
} Job;

static void add(const void *job, int thread, int times) {
    const Job *of = job;
    volatile uint64_t *own = (volatile uint64_t *)(void *)(of->counters + of->apart * (size_t)thread);
    for (int i = 0; i < times; i++)
        *own = *own + 1;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const size_t bytes = (size_t)x * (size_t)queue->device->threads;
    void *memory;
    *y = NAN;
    if (series > 0 && queue->device->threads < 2)
        return STATUS_OK;
    TRY(machine_memory(bytes, &memory));
    memset(memory, 0, bytes);
    const Job job = {memory, (size_t)x};
    const Contest contest = {add, &job, series == 0 ? 1 : queue->device->threads};
    const Status status = contest_time(queue, &contest, y);
    free(memory);
    return status;
}

const Experiment cpu_machine_sharing = {
    .name = "sharing",
    .title = "False sharing",
    .idea = "each thread adds to a counter of its own, so many bytes from the next thread's, without atomics",
    .advice = "Keep data that different threads write at least 64 bytes apart, better 128: a thread that writes a byte "
              "takes the whole cache line.",
    .x = {"from counter to counter", "B", false},
    .y = {"time of an addition", "ns", false},
    .series = {"one thread", "all threads"},
    .points = {8, 16, 32, 64, 128, 256},
    .measure = measure,
};
