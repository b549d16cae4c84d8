/* reference.c: one value after the other, in long double, which holds the sums of whole numbers exactly. Never
 * optimized. */
#include "core/device/backend.h"
#include "core/ops/reduce.h"

static double value_at(const Stage *stage, size_t x, size_t y, int c) {
    const double a = view_value(stage->in[0], x, y, c);
    if (!reduce_job(stage)->difference)
        return a;
    const double b = view_value(stage->in[1], x, y, c);
    return stage->in[0].shape.type == PIXEL_F32 ? fabs((double)((float)a - (float)b)) : fabs(a - b);
}

static Reduction reduce_channel(const Stage *stage, int c) {
    const Shape shape = stage->in[0].shape;
    Reduction all = {.minimum = INFINITY, .maximum = -INFINITY};
    long double sum = 0, squares = 0;
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            const double value = value_at(stage, x, y, c);
            if (isnan(value))
                continue;
            all.count++;
            all.minimum = fmin(all.minimum, value);
            all.maximum = fmax(all.maximum, value);
            sum += (long double)value;
            squares += (long double)value * (long double)value;
        }
    all.sum = (double)sum;
    all.squares = (double)squares;
    return all;
}

static Status run(Queue *queue, const Stage *stage) {
    const unsigned what = reduce_job(stage)->what;
    (void)queue;
    for (int c = 0; c < stage->in[0].shape.channels; c++) {
        const Reduction all = reduce_channel(stage, c);
        reduction_store(stage->out, c,
                        (Reduction){.count = what & REDUCE_COUNT ? all.count : 0,
                                    .sum = what & REDUCE_SUM ? all.sum : 0,
                                    .squares = what & REDUCE_SQUARES ? all.squares : 0,
                                    .minimum = what & REDUCE_EXTREMA ? all.minimum : 0,
                                    .maximum = what & REDUCE_EXTREMA ? all.maximum : 0});
    }
    return STATUS_OK;
}

const Level cpu_reduce_reference = {
    .op = &op_reduce,
    .name = "reference",
    .idea = "one value after the other; every other level is checked against it",
    .run = run,
};
