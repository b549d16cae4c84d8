/* threads.c: the rows shared out among the cores. */
#include "cpu/cube/row.h"

#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, cube_row);
    return STATUS_OK;
}

const Level cpu_cube_threads = {
    .op = &op_cube,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
