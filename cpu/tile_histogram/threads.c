/* threads.c: the tiles shared out among the cores, each counted by the loops of the histogram (cpu/histogram/count.h)
 * as pictures of their own. The pixels of a tile beyond the picture are rows and columns of the picture, mirrored. */
#include "core/ops/tiles.h"
#include "cpu/histogram/count.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

enum { FEW_BINS = 256 }; /* so few that four tables keep their counts */

static int turns_of(const Stage *stage) {
    return stage->out.shape.width <= FEW_BINS ? TABLES_MAX : 1;
}

static size_t table_values(const Stage *stage) {
    return (size_t)tiles_job_of(stage)->colours * stage->out.shape.width;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * (size_t)turns_of(stage) * table_values(stage) * sizeof(uint32_t);
}

/* Counts columns `from` to before `to` of row y of the picture. */
static void count_columns(CountRow *count, const Stage *stage, ptrdiff_t from, ptrdiff_t to, size_t y,
                          uint32_t *tables) {
    if (from >= to)
        return;
    Stage part = *stage;
    part.in[0] = view_crop(stage->in[0], (size_t)from, y, (size_t)(to - from), 1);
    count(&part, 0, tables);
}

static void count_tile(CountRow *count, const Stage *stage, const TilesJob *job, int tile, uint32_t *tables) {
    const Tiles tiles = job->tiles;
    const ptrdiff_t width = (ptrdiff_t)stage->in[0].shape.width;
    const ptrdiff_t left = tile % tiles.across * tiles.width, right = left + tiles.width;
    const int top = tile / tiles.across * tiles.height;
    for (int y = top; y < top + tiles.height; y++) {
        const int row = tiles_row(job, y, (int)stage->in[0].shape.height);
        if (row < 0)
            continue;
        count_columns(count, stage, left, right < width ? right : width, (size_t)row, tables);
        for (ptrdiff_t x = left > width ? left : width; x < right; x++) {
            const ptrdiff_t column = border_index(BORDER_MIRROR, x, width);
            count_columns(count, stage, column, column + 1, (size_t)row, tables);
        }
    }
}

typedef struct Shared {
    const Stage *stage, *counted;
    CountRow *count;
    uint32_t *scratch;
} Shared;

static void share_tile(const void *work, size_t tile, size_t thread) {
    const Shared *shared = work;
    const Stage *stage = shared->stage;
    const TilesJob *job = tiles_job_of(stage);
    const int turns = turns_of(stage), colours = job->colours;
    const size_t bins = stage->out.shape.width, values = table_values(stage);
    uint32_t *tables = shared->scratch + thread * (size_t)turns * values;
    memset(tables, 0, (size_t)turns * values * sizeof *tables);
    count_tile(shared->count, shared->counted, job, (int)tile, tables);
    for (int row = 0; row < colours; row++) {
        uint32_t *to = view_row(stage->out, tile * (size_t)colours + (size_t)row);
        memcpy(to, tables + (size_t)row * bins, bins * sizeof *to);
        for (int turn = 1; turn < turns; turn++)
            for (size_t i = 0; i < bins; i++)
                to[i] += tables[(size_t)turn * values + (size_t)row * bins + i];
    }
}

static Status run(Queue *queue, const Stage *stage) {
    CountRows *const sets[ISA_LEVELS] = {&count_rows_portable, &count_rows_avx2, &count_rows_avx512};
    const TilesJob *job = tiles_job_of(stage);
    const int tiles = job->tiles.across * job->tiles.down;
    const Shape in = stage->in[0].shape;
    CountRow *const count = (*sets[isa_detect()])[turns_of(stage) > 1][in.type][in.channels - 1];
    const HistogramJob histogram = {job->bins, job->luma, job->visible};
    Stage counted = *stage; /* as the histogram has it: a row for each colour */
    void *scratch;
    counted.job = &histogram;
    counted.out.shape.height = (size_t)job->colours;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share(queue, (size_t)tiles, share_tile, &(Shared){stage, &counted, count, scratch});
    return STATUS_OK;
}

const Level cpu_tile_histogram_threads = {
    .op = &op_tile_histogram,
    .name = "threads",
    .idea = "the tiles shared out among the cores, each counted in tables that stay in the nearest cache",
    .workspace = workspace,
    .run = run,
};
