/* tile.h: a tile of the picture through both masks by vectors.
 * Source rows are converted once, with the pixel beyond each end filled in, and times alpha where that counts; a ring
 * holds three of them. Both masks read the ring, so that the picture is read once. */
#ifndef GLINT_CPU_DERIVATIVE_TILE_H
#define GLINT_CPU_DERIVATIVE_TILE_H

#include "core/ops/derivative.h"

enum { DERIVATIVE_VALUES = 1024, DERIVATIVE_ROWS = 64 }; /* of a tile: values in a row, rows */

/* Part of a stage's result: `count` pixels of `rows` rows from (x, y) on, at most DERIVATIVE_VALUES values wide.
 * `wide`: in double precision. */
typedef void DerivativeTile(const Stage *stage, bool wide, size_t x, size_t count, size_t y, size_t rows);

extern DerivativeTile *const derivative_tile_portable, *const derivative_tile_avx2, *const derivative_tile_avx512;

#endif
