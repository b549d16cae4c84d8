/* running.h: a strip of rows of a box, by running sums. */
#ifndef GLINT_CPU_CONVOLVE_RUNNING_H
#define GLINT_CPU_CONVOLVE_RUNNING_H

#include "core/backend.h"
#include "core/ops/convolve.h"

/* What all strips of a stage share. Sums of whole numbers are uint32_t, modulo 2^32, which those of a box of at most
 * 255 x 255 u16 values stay below; sums of f32 are double. */
typedef struct RunningJob {
    const Stage *stage;
    double factor, divisor, bias; /* result = sum * factor / divisor + bias */
    size_t rows;                  /* of a strip; the last may have fewer */
    size_t columns; /* values of a row of sums down the columns, those beyond the picture's sides included */
} RunningJob;

/* Rows from `first` on. `scratch` has running_scratch_bytes, 64-byte aligned. False if the strip has read a value that
 * is not finite: it would stay in the sums. */
typedef bool RunningStrip(const RunningJob *job, size_t first, void *scratch);

extern RunningStrip *const running_strip_portable, *const running_strip_avx2, *const running_strip_avx512;

static inline size_t running_scratch_bytes(const RunningJob *job) {
    return 2 * ((job->columns + 15) / 16 * 16) * sizeof(double);
}

#endif
