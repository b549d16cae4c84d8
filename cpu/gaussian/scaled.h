/* scaled.h: a wide gaussian over a coarse grid (core/param/gaussian_grid.h): declarations that its parts share. */
#ifndef GLINT_CPU_GAUSSIAN_SCALED_H
#define GLINT_CPU_GAUSSIAN_SCALED_H

#include "core/device/backend.h"
#include "core/ops/gaussian.h"
#include "core/param/gaussian_grid.h"

enum {
    SCALED_BLOCK = 1024, /* bytes of sums of a row that are made at a time */
    SCALED_ROWS = 8      /* rows that are added to them at once, at most */
};

typedef struct ScaledJob {
    const Stage *stage;
    GaussianGrid x, y;
    size_t line; /* values of a picture's row */
    void *plane; /* grid rows of `line` sums: of f32, of f64 for u16 */
} ScaledJob;

/* The three steps in one instruction set. */
typedef struct ScaledSteps {
    size_t vector; /* bytes: of rows side by side, a value of each */
    /* Sums the pixels of a block down the columns, into the plane's rows. */
    void (*down)(const ScaledJob *job, size_t block);
    /* Some rows of the plane, side by side, along the rows to the grid and back. `scratch` is 64-byte aligned, with
     * a vector for each value of a row, and of its grid points with `taps` more on both sides. */
    void (*along)(const ScaledJob *job, size_t block, void *scratch);
    /* The picture's rows of a segment, `step` of them, from the plane's rows. */
    void (*up)(const ScaledJob *job, size_t segment);
} ScaledSteps;

extern const ScaledSteps scaled_steps_portable[2], scaled_steps_avx2[2], scaled_steps_avx512[2]; /* f32, f64 */

#endif
