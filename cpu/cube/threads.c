/* threads.c: the rows shared out among the cores. */
#include "cpu/cube/row.h"

#include "cpu/team.h"

static void share_row(const void *stage, size_t y) {
    cube_row(stage, y);
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_rows(queue, stage->out.shape.height, share_row, stage);
    return STATUS_OK;
}

const Level cpu_cube_threads = {
    .op = &op_cube,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
