/* threads.c: counting, the rows shared out among the cores. */
#include "cpu/histogram/count.h"

static size_t workspace(const Device *device, const Stage *stage) {
    return histogram_workspace(device, stage, 1);
}

static Status run(Queue *queue, const Stage *stage) {
    return histogram_count(queue, stage, 1);
}

const Level cpu_histogram_threads = {
    .op = &op_histogram,
    .name = "threads",
    .idea = "the rows shared out among the cores, each with counts of its own that are added up at the end",
    .workspace = workspace,
    .run = run,
};
