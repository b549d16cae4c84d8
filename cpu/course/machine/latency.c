/* latency.c: loads whose address came with the load before them. */
#include "cpu/course/machine/machine.h"

#include <math.h>

enum { STEPS = 20000 };

typedef struct Link {
    uint32_t next;
    uint32_t rest[LINE_BYTES / sizeof(uint32_t) - 1];
} Link;

typedef struct Job {
    const Link *links;
    uint32_t at; /* where the run before ended: large sets are not seen twice */
} Job;

static Status run(Queue *queue, void *job) {
    Job *of = job;
    uint32_t at = of->at;
    (void)queue;
    for (int i = 0; i < STEPS; i++)
        at = of->links[at].next;
    of->at = at;
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const uint32_t count = (uint32_t)(x / sizeof(Link));
    void *memory;
    double ms = 0;
    TRY(machine_memory((size_t)x, &memory));
    Link *links = memory;
    for (uint32_t i = 0; i < count; i++)
        links[i].next = series == 0 ? CHAIN_NEXT(i, count) : (i + 1) % count;
    Job job = {links, 0};
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = ms * 1e6 / STEPS;
    return status;
}

static void tell(const Curve *curve, char *text, size_t size) {
    curve_tell_at(curve, 0, (const double[]){16 << 10, 512 << 10, 8 << 20, 128 << 20}, 4, text, size);
}

const Experiment cpu_machine_latency = {
    .name = "latency",
    .title = "Latency by working set",
    .idea = "follows a chain through cache lines, each of which says where the next one lies",
    .advice = "Work on pieces that fit a cache, and have several loads under way: one that waits for another pays the "
              "whole way to memory.",
    .x = {"working set", "B", false},
    .y = {"time of a load", "ns", false},
    .series = {"at random", "in order"},
    .points = {0x1p12, 0x1p13, 0x1p14, 0x1p15, 0x1p16, 0x1p17, 0x1p18, 0x1p19, 0x1p20, 0x1p21, 0x1p22, 0x1p23, 0x1p24,
               0x1p25, 0x1p26, 0x1p27},
    .measure = measure,
    .tell = tell,
};
