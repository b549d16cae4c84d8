/* cells.c: bytes. All pixels of a cell, which lies between the centres of four tiles, take the same four curves. These
 * are packed so that one load brings the four results of a value. */
#include "core/ops/histogram.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/tile_lookup/cell.h"
#include "cpu/tile_lookup/grid.h"

#include "core/device/backend.h"

typedef uint32_t Table[BINS_U8];

static size_t table_count(const TilesJob *job) {
    return ((size_t)job->tiles.across + 1) * ((size_t)job->tiles.down + 1) * (size_t)job->colours;
}

/* The tables, then the weight of every column. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return table_count(tiles_job_of(stage)) * sizeof(Table) + stage->out.shape.width * sizeof(float);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it packs the results of u8 pictures";
    return stage->out.shape.type == PIXEL_U8;
}

static void pack(const Stage *stage, int cell, Table *tables) {
    const TilesJob *job = tiles_job_of(stage);
    const int across = job->tiles.across + 1;
    int corners[4];
    cell_corners(job->tiles, cell % across, cell / across, corners);
    for (int row = 0; row < job->colours; row++) {
        const uint8_t *curves[4];
        for (int k = 0; k < 4; k++)
            curves[k] = view_row(stage->in[1], (size_t)corners[k] * (size_t)job->colours + (size_t)row);
        for (size_t i = 0; i < BINS_U8; i++)
            tables[row][i] = curves[0][i] | (uint32_t)curves[1][i] << 8 | (uint32_t)curves[2][i] << 16 |
                             (uint32_t)curves[3][i] << 24;
    }
}

/* y: in the whole picture. */
static void run_row(const Stage *stage, CellRun *weigh, const Table *tables, const float *right_weights, int y) {
    const TilesJob *job = tiles_job_of(stage);
    const Tiles tiles = job->tiles;
    const Shape shape = stage->out.shape;
    const size_t channels = (size_t)shape.channels, colours = (size_t)shape_colours(shape);
    const uint8_t *from = view_row(stage->in[0], (size_t)(y - job->top));
    uint8_t *to = view_row(stage->out, (size_t)(y - job->top));
    const float down = (float)tiles_between(y, tiles.height, tiles.down, true).part;
    const int twice = 2 * y - tiles.height, cell_y = twice < 0 ? 0 : twice / (2 * tiles.height) + 1;
    for (int cell = 0; cell <= tiles.across; cell++) {
        const int left = cell_begin(cell, tiles.width, tiles.across, (int)shape.width);
        const int right = cell_begin(cell + 1, tiles.width, tiles.across, (int)shape.width);
        const Table *row = tables + ((size_t)cell_y * ((size_t)tiles.across + 1) + (size_t)cell) * (size_t)job->colours;
        if (left >= right)
            continue;
        for (size_t c = 0; c < colours; c++)
            weigh(from + (size_t)left * channels + c, to + (size_t)left * channels + c, (size_t)(right - left),
                  channels, row[job->luma ? 0 : c], right_weights + left, down);
    }
    for (size_t x = 0; colours < channels && x < shape.width; x++)
        to[x * channels + colours] = from[x * channels + colours];
}

typedef struct Shared {
    const Stage *stage;
    CellRun *weigh;
    const Table *tables;
    const float *weights;
} Shared;

static void share_row(const void *work, size_t y) {
    const Shared *shared = work;
    run_row(shared->stage, shared->weigh, shared->tables, shared->weights, (int)y + tiles_job_of(shared->stage)->top);
}

static Status run(Queue *queue, const Stage *stage) {
    CellRun *const sets[ISA_LEVELS] = {cell_run_portable, cell_run_avx2, cell_run_avx512};
    const TilesJob *job = tiles_job_of(stage);
    const int cells = (job->tiles.across + 1) * (job->tiles.down + 1);
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    Table *tables = scratch;
    float *weights = (float *)(void *)(tables + table_count(job));
    for (int x = 0; x < (int)stage->out.shape.width; x++)
        weights[x] = (float)tiles_between(x, job->tiles.width, job->tiles.across, true).part;
    for (int cell = 0; cell < cells; cell++)
        pack(stage, cell, tables + cell * job->colours);
    cpu_share_rows(queue, stage->out.shape.height, share_row, &(Shared){stage, sets[isa_detect()], tables, weights});
    return STATUS_OK;
}

const Level cpu_tile_lookup_cells = {
    .op = &op_tile_lookup,
    .name = "cells",
    .idea = "bytes: the four curves around a cell's pixels are packed, so that one load brings four results",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
