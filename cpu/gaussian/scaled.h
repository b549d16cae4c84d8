/* scaled.h: a wide gaussian over a coarse grid (core/param/gaussian_grid.h): declarations that its parts share. */
#ifndef GLINT_CPU_GAUSSIAN_SCALED_H
#define GLINT_CPU_GAUSSIAN_SCALED_H

#include "core/device/backend.h"
#include "core/ops/gaussian.h"
#include "core/param/gaussian_grid.h"

enum { SCALED_BLOCK = 256 /* values of a row that are summed at a time */ };

typedef struct ScaledJob {
    const Stage *stage;
    GaussianGrid x, y;
    size_t line; /* values of a picture's row */
    void *plane; /* grid rows of `line` sums: of f32, of f64 for u16 */
} ScaledJob;

/* The three steps in one instruction set. `scratch`: scaled_scratch sums. */
typedef struct ScaledSteps {
    /* Sums the pixels of SCALED_BLOCK values from `at` on down the columns, into the plane's rows. */
    void (*down)(const ScaledJob *job, size_t at);
    /* Row `j` of the plane along the row to the grid and back. */
    void (*along)(const ScaledJob *job, long j, void *scratch);
    /* Row `y` of the picture from the plane's rows. */
    void (*up)(const ScaledJob *job, size_t y);
} ScaledSteps;

extern const ScaledSteps scaled_steps_portable[2], scaled_steps_avx2[2], scaled_steps_avx512[2]; /* f32, f64 */

#endif
