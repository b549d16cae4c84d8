/* ring.h: a tile of the guided filter, row by row. */
#ifndef GLINT_CPU_GUIDED_RING_H
#define GLINT_CPU_GUIDED_RING_H

#include "core/device/backend.h"
#include "core/ops/guided.h"

enum { RING_COLUMNS = 256, RING_ROWS_MIN = 192 /* pixels of a tile; those at the edges may be smaller */ };

/* Rows before a tile's first result cost as much as those with results: the more there are, the larger is a tile. */
static inline size_t ring_rows(const Stage *stage) {
    const size_t rows = ((size_t)guided_job(stage)->radius * 16 + 63) / 64 * 64;
    return rows > RING_ROWS_MIN ? rows : RING_ROWS_MIN;
}

/* The tile whose upper left pixel is (x, y). `scratch` has ring_scratch_bytes, 64-byte aligned. False if the tile has
 * read a value that is not finite: it stays in the sums, and the results are wrong. */
typedef bool RingTile(const Stage *stage, size_t x, size_t y, void *scratch);

extern RingTile *const ring_tile_portable, *const ring_tile_avx2, *const ring_tile_avx512;

/* Values of a row in scratch. */
static inline size_t ring_pitch(const Stage *stage) {
    const size_t pixels = RING_COLUMNS + 4 * (size_t)guided_job(stage)->radius;
    return (pixels * (size_t)stage->out.shape.channels + 127) / 64 * 64;
}

/* Fits that windows still reach, and other rows. */
static inline size_t ring_scratch_bytes(const Stage *stage) {
    const size_t side = 2 * (size_t)guided_job(stage)->radius + 1;
    return (2 * side + 20) * ring_pitch(stage) * sizeof(double);
}

#endif
