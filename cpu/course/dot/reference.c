/* reference.c: one product after the other, in long double, which holds the sums of whole numbers exactly. Never
 * optimized. */
#include "core/device/backend.h"
#include "core/ops/dot.h"

#include <math.h>

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    (void)queue;
    for (int c = 0; c < shape.channels; c++) {
        long double sum = 0;
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++) {
                const double product = view_value(stage->in[0], x, y, c) * view_value(stage->in[1], x, y, c);
                sum += isnan(product) ? 0 : (long double)product;
            }
        dot_store(stage->out, c, (double)sum);
    }
    return STATUS_OK;
}

const Level cpu_dot_reference = {
    .op = &op_dot,
    .name = "reference",
    .idea = "one product after the other; every other level is checked against it",
    .run = run,
};
