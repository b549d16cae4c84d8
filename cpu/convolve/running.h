/* running.h: a tile of a box, by running sums. */
#ifndef GLINT_CPU_CONVOLVE_RUNNING_H
#define GLINT_CPU_CONVOLVE_RUNNING_H

#include "core/device/backend.h"
#include "core/ops/convolve.h"

enum { RUNNING_STEP = 128 /* values: stored at once, at most; rows in scratch are longer by so much */ };

/* The job that all tiles of a stage share. Sums of whole numbers are uint32_t, modulo 2^32: a box of at most 255 x 255
 * u16 values stays below that. Sums of f32 are double. */
typedef struct RunningJob {
    const Stage *stage;
    double factor, divisor, bias; /* result = sum * factor / divisor + bias */
    size_t width, rows;           /* of a tile in pixels; those at the edges may be smaller */
    size_t length;                /* of a row in scratch, in values */
    bool words;                   /* sums fit 16 bits, and become results by one multiplication */
    uint16_t multiplier;          /* where they do: (sum + divisor / 2) * multiplier >> 16 >> shift */
    int shift;
    bool stream; /* write past the caches: the output is larger than they are */
} RunningJob;

/* The tile whose upper left pixel is (x, y). `scratch` has running_scratch_bytes, 64-byte aligned. False if the tile
 * has read a value that is not finite: it stays in the sums. */
typedef bool RunningTile(const RunningJob *job, size_t x, size_t y, void *scratch);

extern RunningTile *const running_tile_portable, *const running_tile_avx2, *const running_tile_avx512;

/* Sums down the columns, sums of these along the row, and results. */
static inline size_t running_scratch_bytes(const RunningJob *job) {
    return 3 * job->length * sizeof(double);
}

#endif
