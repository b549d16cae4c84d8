/* stride.c: sums of every so manyth word. */
#include "cpu/course/machine/machine.h"

#include <math.h>
#include <string.h>

enum { FAR_BYTES = 64 << 20 /* more than caches hold */, NEAR_BYTES = 16 << 10, NEAR_ROUNDS = 64 };

typedef struct Job {
    const uint32_t *words;
    size_t count, stride, rounds;
} Job;

static Status run(Queue *queue, void *job) {
    const Job *of = job;
    uint32_t sum = 0;
    (void)queue;
    for (size_t round = 0; round < of->rounds; round++)
        for (size_t i = 0; i < of->count; i += of->stride)
            sum += of->words[i] ^ (uint32_t)round;
    machine_want(sum);
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const size_t bytes = series == 0 ? FAR_BYTES : NEAR_BYTES;
    void *memory;
    double ms = 0;
    TRY(machine_memory(bytes, &memory));
    memset(memory, 1, bytes);
    Job job = {memory, bytes / sizeof(uint32_t), (size_t)x, series == 0 ? 1 : NEAR_ROUNDS};
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = ms * 1e6 / (double)(job.rounds * (job.count / job.stride));
    return status;
}

const Experiment cpu_machine_stride = {
    .name = "stride",
    .title = "Stride between loads",
    .idea = "adds up every so manyth 32-bit word, of 64 MiB in memory and of 16 KiB in the nearest cache",
    .advice = "Lay out data side by side that is read together: memory comes in lines of 64 bytes, and skipped words "
              "cost as much.",
    .x = {"from load to load", "words", false},
    .y = {"time of a word", "ns", false},
    .series = {"from memory", "from the nearest cache"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
