/* reference.c: a point function, one pixel after the other. Never optimized. */
#include "core/device/backend.h"
#include "cpu/point/row.h"

static Status run(Queue *queue, const Stage *stage) {
    (void)queue;
    for (size_t y = 0; y < stage->out.shape.height; y++)
        point_row(stage, y);
    return STATUS_OK;
}

const Level cpu_point_reference = {
    .op = &op_point,
    .name = "reference",
    .idea = "one pixel after the other through the formula; every other level is checked against it",
    .run = run,
};
