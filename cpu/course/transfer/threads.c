/* threads.c: rows shared out among the cores. */
#include "core/base/timing.h"
#include "cpu/course/transfer/invert.h"
#include "cpu/team.h"

static void invert_row(const Stage *stage, size_t y) {
    const Shape shape = stage->out.shape;
    invert_values(view_row(stage->in[0], y), view_row(stage->out, y), shape_row_bytes(shape), shape.type);
}

static Status run(Queue *queue, const Stage *stage) {
    const double begin = clock_ms();
    cpu_share_stage(queue, stage, invert_row);
    timeline_add(transfer_job(stage)->timeline, 'K', 0, 0, clock_ms() - begin);
    return STATUS_OK;
}

const Level cpu_transfer_threads = {
    .op = &op_transfer,
    .name = "threads",
    .idea = "that pass, shared out among the cores",
    .run = run,
};
