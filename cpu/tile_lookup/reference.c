/* reference.c: four curves and their weights for every pixel, in double. Never optimized. */
#include "core/backend.h"
#include "core/ops/histogram.h"
#include "core/ops/tiles.h"

#include <math.h>

/* What a row of the curves has for a value that is not NaN. */
static double result(const Stage *stage, size_t row, double value) {
    const Bins bins = tiles_job_of(stage)->bins;
    const double at = (value - (double)bins.low) * (double)bins.scale, last = bins.count - 1;
    const double inside = at > 0 ? fmin(at, last) : 0, low = fmin(floor(inside), last - 1);
    const double from = view_value(stage->in[1], (size_t)low, row, 0);
    return from + (inside - low) * (view_value(stage->in[1], (size_t)low + 1, row, 0) - from);
}

static double value_at(const Stage *stage, int x, int y, int c, double value) {
    const TilesJob *job = tiles_job_of(stage);
    const Tiles tiles = job->tiles;
    const Between across = tiles_between(x, tiles.width, tiles.across);
    const Between down = tiles_between(y, tiles.height, tiles.down);
    double sums[2];
    for (int k = 0; k < 2; k++) {
        const int first = (k ? down.second : down.first) * tiles.across, row = job->luma ? 0 : c;
        const double left = result(stage, (size_t)((first + across.first) * job->colours + row), value);
        const double right = result(stage, (size_t)((first + across.second) * job->colours + row), value);
        sums[k] = left * (1 - across.part) + right * across.part;
    }
    return sums[0] * (1 - down.part) + sums[1] * down.part;
}

static Status run(Queue *queue, const Stage *stage) {
    const ImageView in = stage->in[0];
    const int colours = shape_colours(in.shape);
    (void)queue;
    for (size_t y = 0; y < in.shape.height; y++)
        for (size_t x = 0; x < in.shape.width; x++)
            for (int c = 0; c < in.shape.channels; c++) {
                const double value = view_value(in, x, y, c);
                view_set_value(stage->out, x, y, c,
                               c < colours && !isnan(value) ? value_at(stage, (int)x, (int)y, c, value) : value);
            }
    return STATUS_OK;
}

const Level cpu_tile_lookup_reference = {
    .op = &op_tile_lookup,
    .name = "reference",
    .idea = "four curves and their weights for every pixel, in double: what every other level is checked against",
    .run = run,
};
