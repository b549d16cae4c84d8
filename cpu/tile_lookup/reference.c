/* reference.c: four curves and their weights for every pixel, in double. Never optimized. */
#include "core/ops/tiles.h"
#include "cpu/tile_lookup/row.h"

static Status run(Queue *queue, const Stage *stage) {
    (void)queue;
    for (size_t y = 0; y < stage->out.shape.height; y++)
        tile_lookup_row(stage, y);
    return STATUS_OK;
}

const Level cpu_tile_lookup_reference = {
    .op = &op_tile_lookup,
    .name = "reference",
    .idea = "four curves and their weights for every pixel, in double; every other level is checked against it",
    .run = run,
};
