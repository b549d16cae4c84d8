/* reference.c: value by value, in double. */
#include "core/device/backend.h"
#include "core/ops/transfer.h"

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const double white = pixel_type_white(shape.type);
    (void)queue;
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(stage->out, x, y, c, white - view_value(stage->in[0], x, y, c));
    return STATUS_OK;
}

const Level cpu_transfer_reference = {
    .op = &op_transfer,
    .name = "reference",
    .idea = "value by value, in double precision; every other level is checked against it",
    .run = run,
};
