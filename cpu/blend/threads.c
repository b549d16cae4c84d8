/* threads.c: the rows shared out among the cores. */
#include "cpu/blend/row.h"

#include "cpu/team.h"

static void share_row(const void *stage, size_t y) {
    blend_row(stage, y);
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_rows(queue, stage->out.shape.height, share_row, stage);
    return STATUS_OK;
}

const Level cpu_blend_threads = {
    .op = &op_blend,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
