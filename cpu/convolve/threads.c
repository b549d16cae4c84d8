/* threads.c: interior, with the rows shared out among the cores. */
#include "core/backend.h"
#include "cpu/convolve/interior.h"

static Status run(Queue *queue, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic, 8)
    for (long y = 0; y < height; y++)
        interior_row(stage, (size_t)y);
    return STATUS_OK;
}

const Level cpu_convolve_threads = {
    .op = &op_convolve,
    .name = "threads",
    .idea = "the same, the rows shared out among the cores",
    .run = run,
};
