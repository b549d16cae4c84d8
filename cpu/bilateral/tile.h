/* tile.h: a tile of the picture through the bilateral filter by vectors; simd and pairs share it.
 * The tile and its surroundings are taken apart into planes, one a channel, with the border filled in. The exponential
 * is a polynomial. */
#ifndef GLINT_CPU_BILATERAL_TILE_H
#define GLINT_CPU_BILATERAL_TILE_H

#include "core/device/backend.h"
#include "core/ops/bilateral.h"

enum {
    BILATERAL_COLUMNS = 256, /* of a tile, in pixels: the most */
    BILATERAL_LANES = 16,    /* of the longest vector */
    PAIRS_RADIUS_MAX = 8,    /* at which the weights of pairs still lie in the second-level cache */
    PAIRS_MAX = 2 * PAIRS_RADIUS_MAX * (PAIRS_RADIUS_MAX + 1)
};

/* The pairs of a pixel and those `y` rows below it. Their weights are in a ring of y + 1 rows, each with `count` lines.
 * A weight lies at the upper pixel of the pair or, in row 0, at the left one. */
typedef struct PairsRow {
    int first, count; /* the first one's number */
    size_t at;        /* of the ring behind the other weights, in values */
} PairsRow;

typedef struct BilateralWork {
    const Stage *stage;
    const BilateralTap *taps; /* pairs: those that follow the pixel itself */
    int count;
    size_t columns, rows;
    int reach, margin;   /* columns beyond the tile that are worked on, that are in the planes */
    size_t pitch, plane; /* of a plane's rows, of a plane, in values */
    PairsRow pairs[PAIRS_RADIUS_MAX + 1];
    size_t weights, line; /* of pairs: where in the scratch; of a pair; in values */
} BilateralWork;

/* The tile that begins at (x, y). Sums of u16 are double. */
typedef void BilateralTile(const BilateralWork *work, size_t x, size_t y, void *scratch);

enum { BILATERAL_SIMD, BILATERAL_PAIRS, BILATERAL_TILES };
extern BilateralTile *const bilateral_tiles_portable[BILATERAL_TILES],
    *const bilateral_tiles_avx2[BILATERAL_TILES], *const bilateral_tiles_avx512[BILATERAL_TILES];

/* Cuts planes for tiles of `columns` by `rows` pixels with their surroundings. With `pairs`, whole vectors of columns
 * beyond them are worked on, too. Returns the bytes of a thread's planes. */
size_t bilateral_cut(BilateralWork *work, size_t columns, size_t rows, bool pairs);
/* Runs all tiles; each thread has `own` bytes of scratch. */
void bilateral_run_tiles(Queue *queue, const BilateralWork *work, int which, char *scratch, size_t own);
static inline size_t bilateral_real(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float);
}

#endif
