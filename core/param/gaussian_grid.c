/* gaussian_grid.c: the weights between pixels and the points of a coarse grid. */
#include "core/param/gaussian_grid.h"

#include <math.h>
#include <stdlib.h>

/* How dense the points must lie, in points a sigma; how many sigmas of each of the two gaussians count. */
static const struct Precision {
    double density, reach;
    int taps[4];
} narrow = {1.75, 4.84, {14, 16, 28, 0}}, wide_ones = {2.1, 5.7, {20, 36, 0, 0}};

static double bell(double x, double sigma) {
    return sigma > 0 ? exp(-0.5 * x * x / (sigma * sigma)) : fabs(x) < 0.5;
}

/* The bell curve of `sigma` pixels between each phase's pixel and its points. */
static void fill(const GaussianGrid *grid, double sigma, double *weights) {
    const int origin = grid->taps / 2 - 1;
    for (int p = 0; p < grid->step; p++) {
        double sum = 0;
        for (int t = 0; t < grid->taps; t++)
            sum += weights[p * grid->taps + t] = bell(p + (origin - t) * grid->step, sigma);
        for (int t = 0; t < grid->taps; t++)
            weights[p * grid->taps + t] /= sum;
    }
}

/* Whether there is a second gaussian; else the points are the pixels. */
static bool is_double(double sigma, const struct Precision *precision) {
    return sigma >= precision->density;
}

/* The sigma of each. */
static double sigma_of_each(double sigma, const struct Precision *precision) {
    return is_double(sigma, precision) ? sigma / sqrt(2) : sigma;
}

GaussianGrid gaussian_grid_of(double sigma, bool wide) {
    const struct Precision *precision = wide ? &wide_ones : &narrow;
    const double each = sigma_of_each(sigma, precision);
    GaussianGrid grid = {.step = is_double(sigma, precision) ? (int)(sigma / precision->density) : 1};
    int taps = 0;
    do
        grid.taps = precision->taps[taps++];
    while (precision->taps[taps] && (grid.taps - 1) / 2.0 * grid.step < precision->reach * each);
    return grid;
}

Status gaussian_grid_make(double sigma, bool wide, GaussianGrid *grid) {
    const struct Precision *precision = wide ? &wide_ones : &narrow;
    const double each = sigma_of_each(sigma, precision);
    *grid = gaussian_grid_of(sigma, wide);
    const size_t count = (size_t)grid->step * (size_t)grid->taps;
    grid->down = calloc(2 * count, sizeof *grid->down);
    if (!grid->down)
        return fail(STATUS_DEVICE, "no memory for a gaussian's weights");
    grid->up = grid->down + count;
    fill(grid, each, grid->down);
    fill(grid, is_double(sigma, precision) ? each : 0, grid->up);
    for (size_t i = 0; i < count; i++)
        grid->down[i] /= grid->step;
    return STATUS_OK;
}

void gaussian_grid_free(GaussianGrid *grid) {
    free(grid->down);
    *grid = (GaussianGrid){0};
}
