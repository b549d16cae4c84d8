/* pairs.c: the bilateral filter with one weight for both pixels of a pair; cpu/bilateral/tile_real.h does it. */
#include "cpu/bilateral/tile.h"
#include "cpu/scratch.h"

enum { ROWS = 64, TAPS = (2 * PAIRS_RADIUS_MAX + 1) * (2 * PAIRS_RADIUS_MAX + 1) };

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the weights of so many pairs do not fit in the caches";
    return bilateral_job(stage)->radius <= PAIRS_RADIUS_MAX;
}

/* Fills in `work`; returns the bytes of a thread. `taps`: those behind the middle one are the pairs, row by row. */
static size_t cut(BilateralWork *work, BilateralTap taps[TAPS]) {
    const BilateralJob *job = bilateral_job(work->stage);
    const int pairs = bilateral_taps(job, taps) / 2;
    const size_t columns = BILATERAL_COLUMNS;
    const size_t planes = bilateral_cut(work, columns, ROWS, true), real = bilateral_real(work->stage);
    size_t values = 0;
    work->taps = taps + pairs + 1;
    work->count = pairs;
    work->weights = planes / real;
    work->line = work->columns + 2 * (size_t)work->reach;
    for (int i = 0; i < pairs; i++) {
        PairsRow *row = &work->pairs[work->taps[i].y];
        if (row->count++ == 0)
            *row = (PairsRow){.count = 1, .first = i, .at = values};
        values += (size_t)(work->taps[i].y + 1) * work->line;
    }
    return planes + (values * real + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    BilateralWork work = {.stage = stage};
    BilateralTap taps[TAPS];
    return (size_t)device->threads * cut(&work, taps);
}

static Status run(Queue *queue, const Stage *stage) {
    BilateralWork work = {.stage = stage};
    BilateralTap taps[TAPS];
    const size_t own = cut(&work, taps);
    char *scratch;
    TRY(cpu_scratch(queue, (size_t)queue->device->threads * own, (void **)&scratch));
    bilateral_run_tiles(queue, &work, BILATERAL_PAIRS, scratch, own);
    return STATUS_OK;
}

const Level cpu_bilateral_pairs = {
    .op = &op_bilateral,
    .name = "pairs",
    .idea = "a weight is the same from both pixels of a pair: computed once, and kept until the row of the other one "
            "comes",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
