/* threads.c: weights by distance from a table, one exponential a neighbour, values read by their type. */
#include "core/device/backend.h"
#include "core/ops/bilateral.h"
#include "core/stage/window.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

static void filter_pixel(const Stage *stage, const BilateralTap *taps, int count, ptrdiff_t x, ptrdiff_t y) {
    const BilateralJob *job = bilateral_job(stage);
    const ImageView guide = bilateral_guide(stage);
    const int channels = stage->out.shape.channels, guides = guide.shape.channels;
    const double slope = bilateral_slope(job);
    double weights = 0, sums[4] = {0}, centre[4];
    for (int c = 0; c < guides; c++)
        centre[c] = view_value(guide, (size_t)x, (size_t)y, c);
    for (int i = 0; i < count; i++) {
        double d = 0;
        for (int c = 0; c < guides; c++)
            d += fabs(window_value(guide, job->border, x + taps[i].x, y + taps[i].y, c) - centre[c]);
        const double weight = exp2(taps[i].space + slope * d * d);
        weights += weight;
        for (int c = 0; c < channels; c++)
            sums[c] += weight * window_value(stage->in[0], job->border, x + taps[i].x, y + taps[i].y, c);
    }
    for (int c = 0; c < channels; c++)
        view_set_value(stage->out, (size_t)x, (size_t)y, c, sums[c] / weights);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    const size_t side = 2 * (size_t)bilateral_job(stage)->radius + 1;
    return side * side * sizeof(BilateralTap);
}

typedef struct Rows {
    const Stage *stage;
    void *taps;
    int count;
} Rows;

static void filter_row(const void *job, size_t y) {
    const Rows *rows = job;
    for (size_t x = 0; x < rows->stage->out.shape.width; x++)
        filter_pixel(rows->stage, rows->taps, rows->count, (ptrdiff_t)x, (ptrdiff_t)y);
}

static Status run(Queue *queue, const Stage *stage) {
    void *taps;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &taps));
    const Rows rows = {stage, taps, bilateral_taps(bilateral_job(stage), taps)};
    cpu_share_rows(queue, stage->out.shape.height, filter_row, &rows);
    return STATUS_OK;
}

const Level cpu_bilateral_threads = {
    .op = &op_bilateral,
    .name = "threads",
    .idea = "the neighbours within the radius and their weights by distance from a table, so that one exponential is "
            "left; the rows shared out among the cores",
    .workspace = workspace,
    .run = run,
};
