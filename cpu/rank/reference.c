/* reference.c: the definition of a rank: the window's values sorted. Never optimized. */
#include "core/backend.h"
#include "core/ops/rank.h"
#include "core/window.h"
#include "cpu/scratch.h"

#include <math.h>
#include <omp.h>
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

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)element_count(rank_job(stage)->window) * sizeof(double) * (size_t)device->threads;
}

static Status run(Queue *queue, const Stage *stage) {
    const long height = (long)stage->out.shape.height;
    const size_t count = (size_t)element_count(rank_job(stage)->window);
    double *values;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&values));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < height; y++)
        for (size_t x = 0; x < stage->out.shape.width; x++)
            for (int c = 0; c < stage->out.shape.channels; c++)
                view_set_value(stage->out, x, (size_t)y, c,
                               ranked(rank_job(stage), stage->in[0], (ptrdiff_t)x, y, c,
                                      values + (size_t)omp_get_thread_num() * count));
    return STATUS_OK;
}

const Level cpu_rank_reference = {
    .op = &op_rank,
    .name = "reference",
    .idea = "all values of the window sorted, for each pixel again: slow, readable, what every other level is checked "
            "against",
    .workspace = workspace,
    .run = run,
};
