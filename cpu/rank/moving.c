/* moving.c: any rank in boxes of u16 by one histogram, which moves along a row: a column enters it, and one leaves.
 * T. Huang, G. Yang and G. Tang, A Fast Two-Dimensional Median Filtering Algorithm, IEEE Trans. Acoustics, Speech, and
 * Signal Processing 27(1), 1979; with counts of ranges besides those of values. */
#include "core/device/backend.h"
#include "core/ops/rank.h"
#include "cpu/keys.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { VALUES = 65536, RANGE = 256, BLOCK = 16, TILE_WIDTH = 512 };

/* The histogram of one window; a count has room for its 255 x 255 values. */
typedef struct Counts {
    uint16_t values[VALUES], ranges[VALUES / RANGE];
} Counts;

/* The window's rows, one of keys behind the other, as they lie in the picture. */
typedef struct Rows {
    const uint16_t *keys;
    size_t stride, channels, width;
    int height;
} Rows;

static size_t row_keys(const Stage *stage) {
    const size_t columns = TILE_WIDTH + (size_t)rank_job(stage)->window->width;
    return columns * (size_t)stage->out.shape.channels;
}

/* The workspace of a thread, in bytes. */
static size_t tile_bytes(const Stage *stage) {
    const size_t keys = row_keys(stage) * (size_t)rank_job(stage)->window->height;
    return (sizeof(Counts) + keys * sizeof(uint16_t) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return tile_bytes(stage) * (size_t)device->threads;
}

/* Adds `step`, 1 or -1, for each value of a column; returns by how many there are more below the range `now`. */
static int count_column(Counts *counts, const Rows *rows, size_t x, size_t channel, int step, unsigned now) {
    const uint16_t *key = rows->keys + x * rows->channels + channel;
    int below = 0;
    for (int j = 0; j < rows->height; j++, key += rows->stride) {
        const unsigned value = *key, range = value / RANGE;
        counts->values[value] = (uint16_t)(counts->values[value] + step);
        counts->ranges[range] = (uint16_t)(counts->ranges[range] + step);
        below += range < now;
    }
    return step * below;
}

/* The value in a range that has `rank` of its values below it. */
static unsigned find_value(const uint16_t *counts, int rank) {
    unsigned value = 0;
    for (;; value += BLOCK) {
        int block = 0;
        for (int i = 0; i < BLOCK; i++)
            block += counts[value + (unsigned)i];
        if (rank < block)
            break;
        rank -= block;
    }
    for (; rank >= counts[value]; value++)
        rank -= counts[value];
    return value;
}

/* The results of a row's channel. `counts` is empty before and behind. */
static void rank_channel(const Stage *stage, Counts *counts, const Rows *rows, size_t count, size_t channel,
                         uint16_t *to) {
    const int rank = rank_job(stage)->rank;
    unsigned now = 0;
    int below = 0; /* so many values lie in ranges below `now` */
    for (size_t x = 0; x + 1 < rows->width; x++)
        below += count_column(counts, rows, x, channel, 1, now);
    for (size_t x = 0; x < count; x++) {
        below += count_column(counts, rows, x + rows->width - 1, channel, 1, now);
        while (below > rank)
            below -= counts->ranges[--now];
        while (below + counts->ranges[now] <= rank)
            below += counts->ranges[now++];
        to[x * rows->channels + channel] =
            (uint16_t)(now * RANGE + find_value(counts->values + (size_t)now * RANGE, rank - below));
        below += count_column(counts, rows, x, channel, -1, now);
    }
    for (size_t x = count; x < count + rows->width - 1; x++)
        count_column(counts, rows, x, channel, -1, now);
}

/* A piece of a row. */
static void rank_row(const void *of, size_t x, size_t y, void *scratch) {
    const Stage *stage = of;
    const RankJob *job = rank_job(stage);
    const Shape shape = stage->out.shape;
    const size_t count = TILE_WIDTH < shape.width - x ? TILE_WIDTH : shape.width - x;
    Counts *counts = scratch;
    uint16_t *keys = (uint16_t *)(counts + 1);
    const Rows rows = {keys, row_keys(stage), (size_t)shape.channels, (size_t)job->window->width, job->window->height};
    for (int j = 0; j < rows.height; j++)
        keys_load(stage->in[0], job->border, (ptrdiff_t)x - job->window->width / 2, (ptrdiff_t)y + j - rows.height / 2,
                  count + rows.width - 1, keys + (size_t)j * rows.stride);
    memset(counts, 0, sizeof *counts);
    for (size_t c = 0; c < rows.channels; c++)
        rank_channel(stage, counts, &rows, count, c, (uint16_t *)view_row(stage->out, y) + x * rows.channels);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = stage->out.shape.type == PIXEL_U16 ? "the window is not a box" : "its counts are of u16";
    return stage->out.shape.type == PIXEL_U16 && element_is_box(rank_job(stage)->window);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, TILE_WIDTH, 1, scratch, tile_bytes(stage)}, rank_row,
                    stage);
    return STATUS_OK;
}

const Level cpu_rank_moving = {
    .op = &op_rank,
    .name = "moving",
    .idea = "u16: one histogram moves along each row, which a column enters and a column leaves; counts of ranges lead "
            "to the value",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
