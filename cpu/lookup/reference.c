/* reference.c: looking up one value after the other. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/histogram.h"
#include "core/ops/lookup.h"

#include <math.h>

/* The result of row `row` of the curve for a value. */
static double result(const Stage *stage, size_t row, double value) {
    const Frame curve = stage->in[1];
    const LookupJob *job = lookup_job(stage);
    const Bins bins = job->bins;
    if (curve.shape.type != PIXEL_F32)
        return view_value(curve, (size_t)value, row, 0);
    if (isnan(value))
        return value;
    if (job->line) {
        const double from = view_value(curve, LINE_FROM, row, 0), to = view_value(curve, LINE_TO, row, 0),
                     low = view_value(curve, LINE_LOW, row, 0), high = view_value(curve, LINE_HIGH, row, 0);
        return value <= from ? low : value >= to ? high : low + (value - from) / (to - from) * (high - low);
    }
    if (job->nearest)
        return view_value(curve, (size_t)bin_of(bins, (float)value), row, 0);
    const int last = bins.count - 1;
    const double at = (value - (double)bins.low) * (double)bins.scale;
    if (at > 0 && at < last) {
        const double from = view_value(curve, (size_t)at, row, 0), to = view_value(curve, (size_t)at + 1, row, 0);
        return from + (at - floor(at)) * (to - from);
    }
    const double first = view_value(curve, 0, row, 0), end = view_value(curve, (size_t)last, row, 0);
    const double near = at > 0 ? end : first, more = (at > 0 ? at - last : at) * ((end - first) / last);
    return job->extend && !isnan(more) ? near + more : near;
}

static double luma_of(ImageView in, size_t x, size_t y) {
    const double v[3] = {view_value(in, x, y, 0), view_value(in, x, y, 1), view_value(in, x, y, 2)};
    return in.shape.type == PIXEL_F32 ? (double)luma_real((float)v[0], (float)v[1], (float)v[2])
                                      : (double)luma_whole((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
}

static Status run(Queue *queue, const Stage *stage) {
    const ImageView in = stage->in[0];
    const int colours = shape_colours(in.shape);
    (void)queue;
    for (size_t y = 0; y < in.shape.height; y++)
        for (size_t x = 0; x < in.shape.width; x++)
            for (int c = 0; c < in.shape.channels; c++) {
                const double value =
                    lookup_job(stage)->luma && colours == 3 ? luma_of(in, x, y) : view_value(in, x, y, c);
                const size_t row = stage->in[1].shape.height > 1 ? (size_t)c : 0;
                view_set_value(stage->out, x, y, c, c < colours ? result(stage, row, value) : view_value(in, x, y, c));
            }
    return STATUS_OK;
}

const Level cpu_lookup_reference = {
    .op = &op_lookup,
    .name = "reference",
    .idea = "one value after the other; every other level is checked against it",
    .run = run,
};
