/* running.c: all sums run: down the columns and along the rows, so that the radius costs next to nothing. Running sums
 * are groups of doubles, which are vectors: the four sums of the fit, then the two of the means. Sums of f32 that are
 * not finite would never be again: a tile with such a value is summed up window by window. */
#include "cpu/guided/running.h"

#include "core/device/backend.h"
#include "core/ops/guided.h"
#include "core/stage/window.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

enum { COLUMNS = 256, ROWS = 64, MOMENTS = 4, FITS = 2 };

/* Groups of doubles in rows. */
typedef struct Grid {
    double *values;
    int width, height, group;
} Grid;

static inline double *at(Grid grid, int x, int y) {
    return grid.values + ((size_t)y * (size_t)grid.width + (size_t)x) * (size_t)grid.group;
}

/* Means over windows of `side`: of `to`'s pixel (x, y) that with the upper left corner (x, y) of `from`. `columns` has
 * room for a row of `from`. */
static void run_means(Grid from, int side, double *restrict columns, Grid to) {
    const int group = from.group, row = from.width * group;
    const double inverse = 1 / ((double)side * side);
    for (int i = 0; i < row; i++)
        columns[i] = 0;
    for (int y = 0; y < from.height; y++) {
        const double *enters = at(from, 0, y), *leaves = at(from, 0, y >= side ? y - side : 0);
        const double keep = y >= side ? 1 : 0;
        for (int i = 0; i < row; i++)
            columns[i] += enters[i] - keep * leaves[i];
        if (y + 1 < side)
            continue;
        double sums[MOMENTS] = {0}, *result = at(to, 0, y + 1 - side);
        for (int x = 0; x < side - 1; x++)
            for (int g = 0; g < group; g++)
                sums[g] += columns[x * group + g];
        for (int x = 0; x < to.width; x++)
            for (int g = 0; g < group; g++) {
                sums[g] += columns[(x + side - 1) * group + g];
                result[x * group + g] = sums[g] * inverse;
                sums[g] -= columns[x * group + g];
            }
    }
}

static void sum_means(Grid from, int side, Grid to) {
    for (int y = 0; y < to.height; y++)
        for (int x = 0; x < to.width; x++)
            for (int g = 0; g < from.group; g++) {
                double sum = 0;
                for (int j = 0; j < side; j++)
                    for (int i = 0; i < side; i++)
                        sum += at(from, x + i, y + j)[g];
                at(to, x, y)[g] = sum / ((double)side * side);
            }
}

/* Guide, picture, and the products that the fit needs; false if one is not finite. */
static bool load(const Stage *stage, ptrdiff_t left, ptrdiff_t top, int c, Grid to) {
    const ImageView guide = guided_guide(stage);
    const int guide_c = guide.shape.channels > 1 ? c : 0;
    double worst = 0;
    for (int y = 0; y < to.height; y++)
        for (int x = 0; x < to.width; x++) {
            const double i = window_value(guide, guided_job(stage)->border, left + x, top + y, guide_c);
            const double p = guided_job(stage)->joint
                                 ? window_value(stage->in[0], guided_job(stage)->border, left + x, top + y, c)
                                 : i;
            double *values = at(to, x, y);
            values[0] = i;
            values[1] = p;
            values[2] = i * i;
            values[3] = i * p;
            worst += fabs(i) + fabs(p);
        }
    return isfinite(worst);
}

static void fit(const GuidedJob *job, Grid means, Grid fits) {
    for (int i = 0; i < means.width * means.height; i++) {
        const double *m = means.values + (size_t)i * MOMENTS;
        const double a = (m[3] - m[0] * m[1]) / (m[2] - m[0] * m[0] + job->epsilon);
        fits.values[FITS * i] = a;
        fits.values[FITS * i + 1] = m[1] - a * m[0];
    }
}

static void run_tile(const Stage *stage, size_t left, size_t top, int c, double *scratch) {
    const GuidedJob *job = guided_job(stage);
    const Shape shape = stage->out.shape;
    const ImageView guide = guided_guide(stage);
    const int radius = job->radius, side = 2 * radius + 1;
    const int columns = shape.width - left < COLUMNS ? (int)(shape.width - left) : COLUMNS;
    const int rows = shape.height - top < ROWS ? (int)(shape.height - top) : ROWS;
    const size_t length = COLUMNS + 4 * (size_t)radius, most = length * (ROWS + 4 * (size_t)radius);
    double *sums = scratch;
    Grid values = {sums + MOMENTS * length, columns + 4 * radius, rows + 4 * radius, MOMENTS};
    Grid means = {values.values + MOMENTS * most, columns + 2 * radius, rows + 2 * radius, MOMENTS};
    const Grid fits = {values.values, means.width, means.height, FITS};
    const Grid result = {means.values, columns, rows, FITS};
    const bool finite = load(stage, (ptrdiff_t)left - 2 * radius, (ptrdiff_t)top - 2 * radius, c, values);
    if (finite)
        run_means(values, side, sums, means);
    else
        sum_means(values, side, means);
    fit(job, means, fits);
    if (finite)
        run_means(fits, side, sums, result);
    else
        sum_means(fits, side, result);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const size_t px = left + (size_t)x, py = top + (size_t)y;
            const double value = view_value(guide, px, py, guide.shape.channels > 1 ? c : 0);
            view_set_value(stage->out, px, py, c, at(result, x, y)[0] * value + at(result, x, y)[1]);
        }
}

size_t guided_running_bytes(const Stage *stage) {
    const size_t radius = (size_t)guided_job(stage)->radius, length = COLUMNS + 4 * radius;
    return (length + 2 * length * (ROWS + 4 * radius)) * MOMENTS * sizeof(double);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * guided_running_bytes(stage);
}

static void share_tile(const void *stage, size_t x, size_t y, void *scratch) {
    for (int c = 0; c < ((const Stage *)stage)->out.shape.channels; c++)
        run_tile(stage, x, y, c, scratch);
}

void guided_running(const Stage *stage, size_t left, size_t top, size_t columns, size_t rows, void *scratch) {
    for (size_t y = 0; y < rows; y += ROWS)
        for (size_t x = 0; x < columns; x += COLUMNS)
            share_tile(stage, left + x, top + y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, COLUMNS, ROWS, scratch, guided_running_bytes(stage)},
                    share_tile, stage);
    return STATUS_OK;
}

const Level cpu_guided_running = {
    .op = &op_guided,
    .name = "running",
    .idea = "sums that run down columns and along rows, four at a time, so that the radius costs next to nothing",
    .workspace = workspace,
    .run = run,
};
