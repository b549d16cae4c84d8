/* copies.c: memcpy, by one thread and by all. */
#include "cpu/course/machine/machine.h"
#include "cpu/team.h"

#include <math.h>
#include <string.h>

enum { BYTES_MIN = 1 << 20 /* copied in a run */ };

typedef struct Job {
    char *from, *to;
    size_t bytes, pieces, rounds;
} Job;

static void copy_piece(const void *job, size_t piece, size_t thread) {
    const Job *of = job;
    const size_t begin = of->bytes / of->pieces * piece, end = of->bytes / of->pieces * (piece + 1);
    (void)thread;
    memcpy(of->to + begin, of->from + begin, end - begin);
}

static Status run(Queue *queue, void *job) {
    const Job *of = job;
    for (size_t i = 0; i < of->rounds; i++)
        cpu_share(queue, of->pieces, copy_piece, job);
    return STATUS_OK;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const size_t bytes = (size_t)x, threads = (size_t)queue->device->threads;
    Job job = {
        .bytes = bytes, .pieces = series == 0 ? 1 : threads, .rounds = bytes < BYTES_MIN ? BYTES_MIN / bytes : 1};
    void *memory;
    double ms = 0;
    *y = NAN;
    if (series > 0 && threads < 2)
        return STATUS_OK;
    TRY(machine_memory(2 * bytes, &memory));
    memset(memory, 1, 2 * bytes);
    job.from = memory;
    job.to = job.from + bytes;
    const Status status = experiment_time(queue, run, &job, &ms);
    free(memory);
    *y = 2 * x * (double)job.rounds / ms / 1e6;
    return status;
}

static void tell(const Curve *curve, char *text, size_t size) {
    curve_tell_at(curve, 0, (const double[]){16 << 10, 256 << 10, 4 << 20, 64 << 20}, 4, text, size);
}

const Experiment cpu_machine_copies = {
    .name = "copies",
    .title = "Copies by size",
    .idea = "memcpy of so many bytes, each counted as one read and one written",
    .advice = "Do all work on a piece while it is in a cache, before the next piece: memory has a tenth of the pace, "
              "and threads share it.",
    .x = {"copied", "B", false},
    .y = {"rate", "GB/s", false},
    .more_is_better = true,
    .series = {"one thread", "all threads"},
    .points = {0x1p12, 0x1p13, 0x1p14, 0x1p15, 0x1p16, 0x1p17, 0x1p18, 0x1p19, 0x1p20, 0x1p21, 0x1p22, 0x1p23, 0x1p24,
               0x1p25, 0x1p26},
    .measure = measure,
    .tell = tell,
};
