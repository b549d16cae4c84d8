/* threads.c: the rows shared out among the cores. */
#include "cpu/cube/row.h"

static Status run(Queue *queue, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(static)
    for (long y = 0; y < height; y++)
        cube_row(stage, (size_t)y);
    return STATUS_OK;
}

const Level cpu_cube_threads = {
    .op = &op_cube,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
