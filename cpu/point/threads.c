/* threads.c: a point function, the rows shared out among the cores. */
#include "core/device/backend.h"
#include "cpu/point/row.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, point_row);
    return STATUS_OK;
}

const Level cpu_point_threads = {
    .op = &op_point,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
