/* reference.c: the definition of the gaussian in double precision: along the rows, then down the columns. Never
 * optimized. */
#include "core/backend.h"
#include "core/ops/gaussian.h"

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

static double down_column(const Stage *stage, const double *weights, int reach, const double *rows, size_t at,
                          ptrdiff_t y) {
    const GaussianJob *job = gaussian_job(stage);
    const Shape shape = stage->in[0].shape;
    double sum = 0;
    for (int j = -reach; j <= reach; j++) {
        const ptrdiff_t sy = border_index(job->border.mode, y + j, (ptrdiff_t)shape.height);
        sum += weights[j + reach] *
               (sy < 0 ? (double)job->border.value : rows[(size_t)sy * shape.width * (size_t)shape.channels + at]);
    }
    return sum;
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    const size_t channels = (size_t)shape.channels, line = shape.width * channels;
    const int reach_x = gaussian_reach(gaussian_job(stage)->sigma_x);
    const int reach_y = gaussian_reach(gaussian_job(stage)->sigma_y);
    const long height = (long)shape.height;
    double weights_x[2 * 6 * GAUSSIAN_SIGMA_MAX + 1], weights_y[2 * 6 * GAUSSIAN_SIGMA_MAX + 1];
    double *rows = malloc(line * shape.height * sizeof *rows);
    if (!rows)
        return fail(STATUS_DEVICE, "no memory for the sums along the rows");
    gaussian_weights(gaussian_job(stage)->sigma_x, reach_x, weights_x);
    gaussian_weights(gaussian_job(stage)->sigma_y, reach_y, weights_y);
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < height; y++)
        for (size_t i = 0; i < line; i++)
            rows[(size_t)y * line + i] =
                along_row(stage, weights_x, reach_x, (ptrdiff_t)(i / channels), (size_t)y, (int)(i % channels));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < height; y++)
        for (size_t i = 0; i < line; i++)
            view_set_value(stage->out, i / channels, (size_t)y, (int)(i % channels),
                           down_column(stage, weights_y, reach_y, rows, i, y));
    free(rows);
    return STATUS_OK;
}

const Level cpu_gaussian_reference = {
    .op = &op_gaussian,
    .name = "reference",
    .idea = "all weights in double precision, along the rows and down the columns: what every other level is checked "
            "against",
    .run = run,
};
