/* gaussian_grid.c: the weights between pixels and the points of a coarse grid. */
#include "core/gaussian_grid.h"

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

Status gaussian_grid_make(double sigma, bool wide, GaussianGrid *grid) {
    const struct Precision *precision = wide ? &wide_ones : &narrow;
    const bool twice = sigma >= precision->density;
    const double each = twice ? sigma / sqrt(2) : sigma;
    int taps = 0;
    *grid = (GaussianGrid){.step = twice ? (int)(sigma / precision->density) : 1};
    do
        grid->taps = precision->taps[taps++];
    while (precision->taps[taps] && (grid->taps - 1) / 2.0 * grid->step < precision->reach * each);
    const size_t count = (size_t)grid->step * (size_t)grid->taps;
    grid->down = calloc(2 * count, sizeof *grid->down);
    if (!grid->down)
        return fail(STATUS_DEVICE, "no memory for a gaussian's weights");
    grid->up = grid->down + count;
    fill(grid, each, grid->down);
    fill(grid, twice ? each : 0, grid->up);
    for (size_t i = 0; i < count; i++)
        grid->down[i] /= grid->step;
    return STATUS_OK;
}

void gaussian_grid_free(GaussianGrid *grid) {
    free(grid->down);
    *grid = (GaussianGrid){0};
}
