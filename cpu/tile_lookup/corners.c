/* corners.c: u16 and f32. A cell at a time: the four curves around its pixels are packed. One load brings the four
 * results of a bin, and the next load those of the next bin. */
#include "core/ops/histogram.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/tile_lookup/corner.h"
#include "cpu/tile_lookup/grid.h"

#include "core/device/backend.h"

#include <string.h>

static size_t table_bytes(const Stage *stage) {
    return (size_t)tiles_job_of(stage)->bins.count * sizeof(float[4]);
}

/* A table for each thread, then the weight of every column. */
static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * table_bytes(stage) + stage->out.shape.width * sizeof(double);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it takes curves of f32, which u8 pictures have not";
    return stage->out.shape.type != PIXEL_U8;
}

static void copy_alpha(const Stage *stage, size_t y) {
    const Shape shape = stage->out.shape;
    const size_t value = pixel_type_size(shape.type), pixel = (size_t)shape.channels * value;
    const char *from = (const char *)view_row(stage->in[0], y) + pixel - value;
    char *to = (char *)view_row(stage->out, y) + pixel - value;
    for (size_t x = 0; x < shape.width; x++)
        memcpy(to + x * pixel, from + x * pixel, value);
}

static void pack(const Stage *stage, const int corners[4], int row, float (*table)[4]) {
    const TilesJob *job = tiles_job_of(stage);
    const float *curves[4];
    for (int k = 0; k < 4; k++)
        curves[k] = view_row(stage->in[1], (size_t)corners[k] * (size_t)job->colours + (size_t)row);
    for (int i = 0; i < job->bins.count; i++)
        for (int k = 0; k < 4; k++)
            table[i][k] = curves[k][i];
}

static void run_cell(const Stage *stage, CornerRun *weigh, int x, int y, const double *right_weights,
                     float (*table)[4]) {
    const TilesJob *job = tiles_job_of(stage);
    const Tiles tiles = job->tiles;
    const Shape shape = stage->out.shape;
    const size_t value = pixel_type_size(shape.type), channels = (size_t)shape.channels;
    const int left = cell_begin(x, tiles.width, tiles.across, (int)shape.width);
    const int right = cell_begin(x + 1, tiles.width, tiles.across, (int)shape.width);
    const int begin = cell_begin(y, tiles.height, tiles.down, job->rows) - job->top;
    const int end = cell_begin(y + 1, tiles.height, tiles.down, job->rows) - job->top;
    const int top = begin > 0 ? begin : 0, bottom = end < (int)shape.height ? end : (int)shape.height;
    int corners[4];
    if (left >= right || top >= bottom)
        return;
    cell_corners(tiles, x, y, corners);
    for (int c = 0; c < shape_colours(shape); c++) {
        const size_t at = ((size_t)left * channels + (size_t)c) * value;
        if (c == 0 || !job->luma)
            pack(stage, corners, c, table);
        for (int row = top; row < bottom; row++)
            weigh((const char *)view_row(stage->in[0], (size_t)row) + at,
                  (char *)view_row(stage->out, (size_t)row) + at, (size_t)(right - left), channels, job->bins,
                  (const float(*)[4])table, right_weights + left,
                  tiles_between(row + job->top, tiles.height, tiles.down, false).part);
    }
}

typedef struct Shared {
    const Stage *stage;
    CornerRun *weigh;
    const double *weights;
    char *scratch;
} Shared;

static void share_cell(const void *work, size_t cell, size_t thread) {
    const Shared *shared = work;
    const int across = tiles_job_of(shared->stage)->tiles.across + 1;
    run_cell(shared->stage, shared->weigh, (int)cell % across, (int)cell / across, shared->weights,
             (float(*)[4])(void *)(shared->scratch + thread * table_bytes(shared->stage)));
}

static Status run(Queue *queue, const Stage *stage) {
    CornerRun *const *const sets[ISA_LEVELS] = {corner_runs_portable, corner_runs_avx2, corner_runs_avx512};
    const Tiles tiles = tiles_job_of(stage)->tiles;
    const int threads = queue->device->threads;
    char *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&scratch));
    double *weights = (double *)(void *)(scratch + (size_t)threads * table_bytes(stage));
    for (int x = 0; x < (int)stage->out.shape.width; x++)
        weights[x] = tiles_between(x, tiles.width, tiles.across, false).part;
    cpu_share(queue, (size_t)(tiles.across + 1) * (size_t)(tiles.down + 1), share_cell,
              &(Shared){stage, sets[isa_detect()][stage->out.shape.type], weights, scratch});
    for (size_t y = 0; shape_has_alpha(stage->out.shape) && y < stage->out.shape.height; y++)
        copy_alpha(stage, y);
    return STATUS_OK;
}

const Level cpu_tile_lookup_corners = {
    .op = &op_tile_lookup,
    .name = "corners",
    .idea = "u16 and f32: the four curves around a cell's pixels are packed, so that one load brings four results",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
