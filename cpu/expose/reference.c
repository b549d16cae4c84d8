/* reference.c: scaling one value after the other. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/expose.h"
#include "core/ops/reduce.h"

static Status run(Queue *queue, const Stage *stage) {
    const ImageView in = stage->in[1];
    const int colours = in.shape.channels - (shape_has_alpha(in.shape) ? 1 : 0);
    const Reduction light = reduction_of(stage->in[0], 0);
    const double factor = expose_factor(expose_job(stage)->key, light.count, light.sum);
    (void)queue;
    for (size_t y = 0; y < in.shape.height; y++)
        for (size_t x = 0; x < in.shape.width; x++)
            for (int c = 0; c < in.shape.channels; c++)
                view_set_value(stage->out, x, y, c, view_value(in, x, y, c) * (c < colours ? factor : 1));
    return STATUS_OK;
}

const Level cpu_expose_reference = {
    .op = &op_expose,
    .name = "reference",
    .idea = "one value after the other; every other level is checked against it",
    .run = run,
};
