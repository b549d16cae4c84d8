/* reference.c: one row after the other. Never optimized. */
#include "cpu/blend/row.h"

static Status run(Queue *queue, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
    (void)queue;
    for (long y = 0; y < height; y++)
        blend_row(stage, (size_t)y);
    return STATUS_OK;
}

const Level cpu_blend_reference = {
    .op = &op_blend,
    .name = "reference",
    .idea = "pixel by pixel in double; every other level is checked against it",
    .run = run,
};
