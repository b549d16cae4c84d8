/* threads.c: interior, with the rows shared out among the cores. */
#include "core/device/backend.h"
#include "cpu/convolve/interior.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, interior_row);
    return STATUS_OK;
}

const Level cpu_convolve_threads = {
    .op = &op_convolve,
    .name = "threads",
    .idea = "interior, with the rows shared out among the cores",
    .run = run,
};
