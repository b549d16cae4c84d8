/* threads.c: the rows shared out among the cores. */
#include "core/ops/tiles.h"
#include "cpu/team.h"
#include "cpu/tile_lookup/row.h"

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, tile_lookup_row);
    return STATUS_OK;
}

const Level cpu_tile_lookup_threads = {
    .op = &op_tile_lookup,
    .name = "threads",
    .idea = "the rows shared out among the cores",
    .run = run,
};
