/* threads.c: blocks of A's rows shared out among the cores. */
#include "cpu/course/multiply/blocks.h"

static size_t workspace(const Device *device, const Stage *stage) {
    return blocks_bytes(stage, device->threads);
}

static Status run(Queue *queue, const Stage *stage) {
    return blocks_multiply(queue, stage, queue->device->threads);
}

const Level cpu_multiply_threads = {
    .op = &op_multiply,
    .name = "threads",
    .idea = "simd on all cores: they pack the panels of B together, and each takes blocks of A's rows",
    .workspace = workspace,
    .run = run,
};
