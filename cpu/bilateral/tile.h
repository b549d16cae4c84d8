/* tile.h: a tile of the picture through the bilateral filter by vectors.
 * The tile and what lies around it are taken apart into planes, one a channel, with the border filled in; a vector of
 * pixels then goes through all neighbours with its sums in registers. The exponential is a polynomial. */
#ifndef GLINT_CPU_BILATERAL_TILE_H
#define GLINT_CPU_BILATERAL_TILE_H

#include "core/ops/bilateral.h"

enum { BILATERAL_COLUMNS = 128, BILATERAL_ROWS = 32, BILATERAL_PAD = 32 }; /* of a tile, in pixels */

typedef struct BilateralWork {
    const Stage *stage;
    const BilateralTap *taps;
    int count, pitch; /* pitch: of a plane's rows, in values */
} BilateralWork;

/* The tile that begins at (x, y). `scratch`: bilateral_tile_bytes. Sums of u16 are double. */
typedef void BilateralTile(const BilateralWork *work, size_t x, size_t y, void *scratch);

extern BilateralTile *const bilateral_tile_portable, *const bilateral_tile_avx2, *const bilateral_tile_avx512;

#endif
