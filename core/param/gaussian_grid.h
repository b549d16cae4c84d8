/* gaussian_grid.h: a wide gaussian along one axis in two narrower ones, with a coarse grid between them.
 * Two gaussians of sigma / sqrt(2) after one another are one of sigma. The first one's result varies so slowly that
 * every step-th value of it tells all: the second makes the picture of these alone. Each pixel counts for `taps` points
 * of the grid and is made of as many, whatever sigma is. With samples this dense, the sum over them differs from the
 * integral by 2 exp(-pi^2 sigma^2 / (2 step^2)) of it (Poisson's formula). This is 6e-7 for narrow results and 7e-10
 * for wide ones; the taps that are left out are 1e-6 and 1e-8 of the weight. */
#ifndef GLINT_CORE_PARAM_GAUSSIAN_GRID_H
#define GLINT_CORE_PARAM_GAUSSIAN_GRID_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { GRID_TAPS_MAX = 36, GRID_STEP_MAX = 114 };

/* Grid point j stands for position (j - origin) * step, origin = taps / 2 - 1. A pixel at x >= 0 lies at phase
 * x % step of segment x / step, and belongs to the points from number x / step on. */
typedef struct GaussianGrid {
    int step, taps;
    double *down; /* step x taps: the weights of a pixel of this phase in each of its points; all phases sum to 1 a
                     point */
    double *up;   /* step x taps: its points' weights in a pixel of this phase; they sum to 1 */
} GaussianGrid;

/* For 0 <= sigma <= GAUSSIAN_SIGMA_MAX. `wide`: with the precision that u16 asks for. Taps are 14, 16 or 28; of wide
 * ones 20 or 36. STATUS_DEVICE if memory is short. */
Status gaussian_grid_make(double sigma, bool wide, GaussianGrid *grid);
void gaussian_grid_free(GaussianGrid *grid);
/* Step and taps alone, without the weights. */
GaussianGrid gaussian_grid_of(double sigma, bool wide);
/* The grid's points for n pixels. */
static inline long gaussian_grid_count(const GaussianGrid *grid, size_t n) {
    return ((long)n - 1) / grid->step + grid->taps;
}

#endif
