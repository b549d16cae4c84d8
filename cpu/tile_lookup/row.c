/* row.c: a row through the curves of the tiles around it, in double. */
#include "cpu/tile_lookup/row.h"

#include "core/ops/histogram.h"
#include "core/ops/tiles.h"

#include <math.h>

/* The result of a row of the curves for a value that is not NaN. */
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
    const bool bytes = job->type == PIXEL_U8;
    const Between across = tiles_between(x, tiles.width, tiles.across, bytes);
    const Between down = tiles_between(y + job->top, tiles.height, tiles.down, bytes);
    const size_t colours = (size_t)job->colours, row = job->luma ? 0 : (size_t)c;
    double sums[2];
    for (int k = 0; k < 2; k++) {
        const int first = (k ? down.second : down.first) * tiles.across;
        const double left = result(stage, (size_t)(first + across.first) * colours + row, value);
        const double right = result(stage, (size_t)(first + across.second) * colours + row, value);
        sums[k] = left * (1 - across.part) + right * across.part;
    }
    return sums[0] * (1 - down.part) + sums[1] * down.part;
}

void tile_lookup_row(const Stage *stage, size_t y) {
    const ImageView in = stage->in[0];
    const int colours = shape_colours(in.shape);
    for (size_t x = 0; x < in.shape.width; x++)
        for (int c = 0; c < in.shape.channels; c++) {
            const double value = view_value(in, x, y, c);
            view_set_value(stage->out, x, y, c,
                           c < colours && !isnan(value) ? value_at(stage, (int)x, (int)y, c, value) : value);
        }
}
