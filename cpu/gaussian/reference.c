/* reference.c: the definition of the gaussian in double precision: along the rows, then down the columns. Never
 * optimized. */
#include "core/device/backend.h"
#include "core/ops/gaussian.h"
#include "cpu/team.h"

#include <stdlib.h>

/* One value of the sums along the rows; beyond the picture in y it is the border's value, of which all weights are 1.
 */
static double along_row(const Stage *stage, const double *weights, int reach, ptrdiff_t x, size_t y, int c) {
    const GaussianJob *job = gaussian_job(stage);
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        const ptrdiff_t sx = border_index(job->border.mode, x + i, (ptrdiff_t)stage->in[0].shape.width);
        sum += weights[i + reach] * (sx < 0 ? (double)job->border.value : view_value(stage->in[0], (size_t)sx, y, c));
    }
    return sum;
}

typedef struct Sums {
    const Stage *stage;
    double weights[2 * 6 * GAUSSIAN_SIGMA_MAX + 1];
    int reach;
    double *rows; /* the sums along the rows */
} Sums;

static void sum_row(const void *job, size_t y) {
    const Sums *sums = job;
    const Shape shape = sums->stage->in[0].shape;
    const size_t channels = (size_t)shape.channels, line = shape.width * channels;
    for (size_t i = 0; i < line; i++)
        sums->rows[y * line + i] =
            along_row(sums->stage, sums->weights, sums->reach, (ptrdiff_t)(i / channels), y, (int)(i % channels));
}

static double down_column(const Sums *sums, size_t at, size_t y) {
    const GaussianJob *job = gaussian_job(sums->stage);
    const Shape shape = sums->stage->in[0].shape;
    double sum = 0;
    for (int j = -sums->reach; j <= sums->reach; j++) {
        const ptrdiff_t sy = border_index(job->border.mode, (ptrdiff_t)y + j, (ptrdiff_t)shape.height);
        sum +=
            sums->weights[j + sums->reach] *
            (sy < 0 ? (double)job->border.value : sums->rows[(size_t)sy * shape.width * (size_t)shape.channels + at]);
    }
    return sum;
}

static void sum_columns(const void *job, size_t y) {
    const Sums *sums = job;
    const size_t channels = (size_t)sums->stage->out.shape.channels, line = sums->stage->out.shape.width * channels;
    for (size_t i = 0; i < line; i++)
        view_set_value(sums->stage->out, i / channels, y, (int)(i % channels), down_column(sums, i, y));
}

static Status run(Queue *queue, const Stage *stage) {
    const GaussianJob *job = gaussian_job(stage);
    const Shape shape = stage->in[0].shape;
    Sums sums = {.stage = stage,
                 .reach = gaussian_reach(job->sigma_x),
                 .rows = malloc(shape.width * (size_t)shape.channels * shape.height * sizeof *sums.rows)};
    if (!sums.rows)
        return fail(STATUS_DEVICE, "no memory for the sums along the rows");
    gaussian_weights(job->sigma_x, sums.reach, sums.weights);
    cpu_share_rows(queue, shape.height, sum_row, &sums);
    sums.reach = gaussian_reach(job->sigma_y);
    gaussian_weights(job->sigma_y, sums.reach, sums.weights);
    cpu_share_rows(queue, shape.height, sum_columns, &sums);
    free(sums.rows);
    return STATUS_OK;
}

const Level cpu_gaussian_reference = {
    .op = &op_gaussian,
    .name = "reference",
    .idea =
        "all weights in double precision, along the rows and down the columns; every other level is checked against it",
    .run = run,
};
