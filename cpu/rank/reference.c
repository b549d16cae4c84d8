/* reference.c: the definition of a rank: the window's values sorted. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/rank.h"
#include "core/stage/window.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>
#include <stdlib.h>

/* Ascending; NaN comes last. */
static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

static double ranked(const RankJob *job, ImageView in, ptrdiff_t x, ptrdiff_t y, int c, double *values) {
    const Mask *window = job->window;
    size_t count = 0;
    for (int j = 0; j < window->height; j++)
        for (int i = 0; i < window->width; i++)
            if (element_has(window, i, j))
                values[count++] =
                    window_value(in, job->border, x + i - window->width / 2, y + j - window->height / 2, c);
    qsort(values, count, sizeof *values, compare);
    return values[job->rank];
}

/* The window's bytes, for a thread. */
static size_t window_bytes(const Stage *stage) {
    return (size_t)element_count(rank_job(stage)->window) * sizeof(double);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return window_bytes(stage) * (size_t)device->threads;
}

static void rank_row(const void *job, size_t x0, size_t y, void *values) {
    const Stage *stage = job;
    for (size_t x = x0; x < stage->out.shape.width; x++)
        for (int c = 0; c < stage->out.shape.channels; c++)
            view_set_value(stage->out, x, y, c,
                           ranked(rank_job(stage), stage->in[0], (ptrdiff_t)x, (ptrdiff_t)y, c, values));
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, shape.width, 1, scratch, window_bytes(stage)},
                    rank_row, stage);
    return STATUS_OK;
}

const Level cpu_rank_reference = {
    .op = &op_rank,
    .name = "reference",
    .idea = "all values of the window sorted, for each pixel again: slow, readable; every other level is checked "
            "against it",
    .workspace = workspace,
    .run = run,
};
