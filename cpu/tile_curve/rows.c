/* rows.c: the curve of each tile, a row of bins at a time, without a division but the last. Results are the reference's
 * to the last bit. */
#include "core/device/backend.h"
#include "core/ops/tiles.h"
#include "cpu/team.h"

/* The share of each bin in the values cut off, added to what it keeps: clip_count, without its divisions. */
static void clip_row(const TilesJob *job, const uint32_t *restrict counts, uint64_t total, uint32_t *restrict kept) {
    const uint32_t limit = clip_limit(job->clip, total, TILE_BINS);
    uint64_t cut = 0;
    for (int i = 0; i < TILE_BINS; i++)
        cut += counts[i] > limit ? counts[i] - limit : 0;
    const uint32_t share = (uint32_t)(cut / TILE_BINS), rest = (uint32_t)(cut % TILE_BINS);
    const uint32_t step = rest > 0 ? TILE_BINS / rest : 1;
    for (int i = 0; i < TILE_BINS; i++)
        kept[i] = (counts[i] < limit ? counts[i] : limit) + share;
    if (job->type == PIXEL_U8)
        for (uint32_t i = 0; i < rest; i++)
            kept[i * step]++;
    else
        for (uint32_t i = 0, over = rest; i < TILE_BINS; i++, over = over % TILE_BINS + rest)
            kept[i] += over >= TILE_BINS;
}

/* As view_set_value rounds: adding and taking away 1.5 times 2^52 rounds halves to even. */
static inline uint8_t byte_of(double value) {
    const double low = value > 0 ? value : 0;
    return (uint8_t)(int)((low < 255 ? low : 255) + 0x1.8p52 - 0x1.8p52);
}

static void make_curve(const Stage *stage, size_t row) {
    const TilesJob *job = tiles_job_of(stage);
    const uint32_t *counts = view_row(stage->in[0], row);
    void *to = view_row(stage->out, row);
    uint32_t kept[TILE_BINS];
    double values[TILE_BINS];
    uint64_t total = 0, sum = 0;
    for (int i = 0; i < TILE_BINS; i++)
        total += counts[i];
    if (total > 0) {
        clip_row(job, counts, total, kept);
        for (int i = 0; i < TILE_BINS; i++)
            values[i] = (double)(int64_t)(sum += kept[i]);
        for (int i = 0; i < TILE_BINS; i++)
            values[i] = values[i] * job->white / (double)total;
    } else {
        for (int i = 0; i < TILE_BINS; i++)
            values[i] = bin_value(job->bins, i);
    }
    for (int i = 0; i < TILE_BINS; i++)
        if (stage->out.shape.type == PIXEL_U8)
            ((uint8_t *)to)[i] = byte_of(values[i]);
        else
            ((float *)to)[i] = (float)values[i];
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, make_curve);
    return STATUS_OK;
}

const Level cpu_tile_curve_rows = {
    .op = &op_tile_curve,
    .name = "rows",
    .idea = "a row of bins at a time, in loops that the compiler turns into vectors; shares of what is cut off come by "
            "addition",
    .run = run,
};
