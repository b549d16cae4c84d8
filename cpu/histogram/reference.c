/* reference.c: counting one value after the other. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/histogram.h"

#include <math.h>
#include <string.h>

static void count(Frame out, size_t row, Bins bins, double value) {
    if (!isnan(value))
        ((uint32_t *)view_row(out, row))[bin_of(bins, (float)value)]++;
}

static double luma_of(ImageView in, size_t x, size_t y) {
    const double v[3] = {view_value(in, x, y, 0), view_value(in, x, y, 1), view_value(in, x, y, 2)};
    return in.shape.type == PIXEL_F32 ? (double)luma_real((float)v[0], (float)v[1], (float)v[2])
                                      : (double)luma_whole((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
}

static Status run(Queue *queue, const Stage *stage) {
    const HistogramJob *job = histogram_job(stage);
    const ImageView in = stage->in[0];
    const int colours = shape_colours(in.shape);
    const bool alpha = shape_has_alpha(in.shape);
    (void)queue;
    for (size_t row = 0; row < stage->out.shape.height; row++)
        memset(view_row(stage->out, row), 0, shape_row_bytes(stage->out.shape));
    for (size_t y = 0; y < in.shape.height; y++)
        for (size_t x = 0; x < in.shape.width; x++) {
            if (job->visible && alpha && !(view_value(in, x, y, colours) > 0))
                continue;
            if (job->luma && colours == 3)
                count(stage->out, 0, job->bins, luma_of(in, x, y));
            else
                for (int c = 0; c < colours; c++)
                    count(stage->out, (size_t)c, job->bins, view_value(in, x, y, c));
        }
    return STATUS_OK;
}

const Level cpu_histogram_reference = {
    .op = &op_histogram,
    .name = "reference",
    .idea = "one value after the other adds one to its count; every other level is checked against it",
    .run = run,
};
