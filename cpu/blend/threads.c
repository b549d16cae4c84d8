/* threads.c: the rows shared out among the cores. */
#include "cpu/blend/row.h"

#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, blend_row);
    return STATUS_OK;
}

const Level cpu_blend_threads = {
    .op = &op_blend,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
