/* reference.c: the histogram of each tile, one value after the other. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/histogram.h"
#include "core/ops/tiles.h"

#include <math.h>
#include <string.h>

static void count(uint32_t *counts, Bins bins, double value) {
    if (!isnan(value))
        counts[bin_of(bins, (float)value)]++;
}

static void count_pixel(const Stage *stage, size_t first_row, size_t x, size_t y) {
    const TilesJob *job = tiles_job_of(stage);
    const ImageView in = stage->in[0];
    double v[4] = {0};
    for (int c = 0; c < in.shape.channels; c++)
        v[c] = view_value(in, x, y, c);
    if (job->visible && shape_has_alpha(in.shape) && !(v[in.shape.channels - 1] > 0))
        return;
    if (job->luma)
        v[0] = job->type == PIXEL_F32 ? (double)luma_real((float)v[0], (float)v[1], (float)v[2])
                                      : (double)luma_whole((uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]);
    for (int row = 0; row < job->colours; row++)
        count(view_row(stage->out, first_row + (size_t)row), job->bins, v[row]);
}

static Status run(Queue *queue, const Stage *stage) {
    const TilesJob *job = tiles_job_of(stage);
    const Tiles tiles = job->tiles;
    const Shape in = stage->in[0].shape;
    (void)queue;
    for (size_t row = 0; row < stage->out.shape.height; row++)
        memset(view_row(stage->out, row), 0, shape_row_bytes(stage->out.shape));
    for (int y = 0; y < tiles.down * tiles.height; y++) {
        const int row = tiles_row(job, y, (int)in.height);
        for (int x = 0; row >= 0 && x < tiles.across * tiles.width; x++) {
            const int tile = y / tiles.height * tiles.across + x / tiles.width;
            count_pixel(stage, (size_t)tile * (size_t)job->colours,
                        (size_t)border_index(BORDER_MIRROR, x, (ptrdiff_t)in.width), (size_t)row);
        }
    }
    return STATUS_OK;
}

const Level cpu_tile_histogram_reference = {
    .op = &op_tile_histogram,
    .name = "reference",
    .idea = "one value after the other adds one to a count of its tile; every other level is checked against it",
    .run = run,
};
