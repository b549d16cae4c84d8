/* atomics.c: threads that add to the same few addresses. */
#include "cpu/course/machine/contest.h"
#include "cpu/course/machine/machine.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum { ADDRESSES_MAX = 1024 };

typedef struct Counter {
    _Alignas(LINE_BYTES) _Atomic uint64_t value;
} Counter;

typedef struct Job {
    Counter *counters;
    uint32_t count;
} Job;

/* Threads begin at different places, so that they do not go the same way. */
static void add(const void *job, int thread, int times) {
    const Job *of = job;
    uint32_t at = (uint32_t)thread * (of->count / 2 + 1) & (of->count - 1);
    for (int i = 0; i < times; i++) {
        at = CHAIN_NEXT(at, of->count);
        atomic_fetch_add_explicit(&of->counters[at].value, 1, memory_order_relaxed);
    }
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    void *memory;
    *y = NAN;
    if (series > 0 && queue->device->threads < 2)
        return STATUS_OK;
    TRY(machine_memory(ADDRESSES_MAX * sizeof(Counter), &memory));
    memset(memory, 0, ADDRESSES_MAX * sizeof(Counter));
    const Job job = {memory, (uint32_t)x};
    const Contest contest = {add, &job, series == 0 ? 1 : queue->device->threads};
    const Status status = contest_time(queue, &contest, y);
    free(memory);
    return status;
}

const Experiment cpu_machine_atomics = {
    .name = "atomics",
    .title = "Atomic additions",
    .idea = "each thread adds to one of so many counters after the other, by atomics, each counter in a cache line of "
            "its own",
    .advice = "Give each thread its own counter, and add these up at the end: a line that two cores write moves "
              "between caches at every addition.",
    .x = {"shared", "counters", false},
    .y = {"time of an addition", "ns", false},
    .series = {"one thread", "all threads"},
    .points = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
    .measure = measure,
};
