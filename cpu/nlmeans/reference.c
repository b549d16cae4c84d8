/* reference.c: the definition of non-local means in double precision. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/nlmeans.h"
#include "core/stage/window.h"
#include "cpu/team.h"

#include <math.h>

static double value_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    return window_value(stage->in[0], nlmeans_job(stage)->border, x, y, c);
}

/* The mean of squared differences of the patches around (x, y) and (x + i, y + j). */
static double distance(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int i, int j) {
    const int patch = nlmeans_job(stage)->patch, channels = stage->in[0].shape.channels;
    double sum = 0;
    for (int py = -patch; py <= patch; py++)
        for (int px = -patch; px <= patch; px++)
            for (int c = 0; c < channels; c++) {
                const double d = value_at(stage, x + px + i, y + py + j, c) - value_at(stage, x + px, y + py, c);
                sum += d * d;
            }
    return sum / ((2.0 * patch + 1) * (2 * patch + 1) * channels);
}

static void filter_pixel(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const NlmeansJob *job = nlmeans_job(stage);
    double weights = 0, sums[4] = {0};
    for (int j = -job->search; j <= job->search; j++)
        for (int i = -job->search; i <= job->search; i++) {
            const double weight = exp(-distance(stage, x, y, i, j) / (job->h * job->h));
            weights += weight;
            for (int c = 0; c < stage->out.shape.channels; c++)
                sums[c] += weight * value_at(stage, x + i, y + j, c);
        }
    for (int c = 0; c < stage->out.shape.channels; c++)
        view_set_value(stage->out, (size_t)x, (size_t)y, c, sums[c] / weights);
}

static void filter_row(const Stage *stage, size_t y) {
    for (size_t x = 0; x < stage->out.shape.width; x++)
        filter_pixel(stage, (ptrdiff_t)x, (ptrdiff_t)y);
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_stage(queue, stage, filter_row);
    return STATUS_OK;
}

const Level cpu_nlmeans_reference = {
    .op = &op_nlmeans,
    .name = "reference",
    .idea = "two patches compared for each neighbour in double precision; every other level is checked against it",
    .run = run,
};
