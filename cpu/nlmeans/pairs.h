/* pairs.h: a tile of the picture through non-local means with patches of 7 x 7, each pair of pixels once.
 * Two pixels have the same distance both ways, so that half of the offsets tell all weights. An offset's squared
 * differences go down the columns in registers, where sums of two, three and four rows become one of seven. A row of
 * weights is kept for each offset of equal height, and then goes into the sums of both rows that it belongs to. */
#ifndef GLINT_CPU_NLMEANS_PAIRS_H
#define GLINT_CPU_NLMEANS_PAIRS_H

#include "core/ops/nlmeans.h"

enum {
    PAIRS_PATCH = 3,
    PAIRS_COLUMNS = 64, /* of a tile, and rows, in pixels */
    PAIRS_ROWS = 64,
    PAIRS_BLOCK = 18, /* rows of weights that are kept */
    PAIRS_LANES = 16, /* of the widest vectors */
};

/* Values behind one another in a row of the tile's planes, and in a row of weights. */
static inline size_t pairs_pitch(int search) {
    return ((size_t)PAIRS_COLUMNS + 2 * ((size_t)search + PAIRS_PATCH) + 3 * (size_t)PAIRS_LANES) / PAIRS_LANES *
           PAIRS_LANES;
}
/* Rows of the planes: some are read ahead. */
static inline size_t pairs_rows(int search) {
    return PAIRS_ROWS + 2 * ((size_t)search + PAIRS_PATCH) + 4;
}
/* Values between the weights of two offsets: not a multiple of a page, whose lines would share places in the cache. */
static inline size_t pairs_step(int search) {
    return PAIRS_BLOCK * pairs_pitch(search) + PAIRS_LANES;
}
/* The values of a tile's scratch: planes, sums of weights and of values, a block of columns' sums, weights. */
static inline size_t pairs_scratch(int search, int channels) {
    const size_t pitch = pairs_pitch(search);
    return (size_t)channels * pitch * pairs_rows(search) + ((size_t)channels + 1) * PAIRS_ROWS * PAIRS_COLUMNS +
           (PAIRS_BLOCK + 2 * PAIRS_PATCH + 4) * pitch + (2 * (size_t)search + 1) * pairs_step(search);
}

/* The tile that begins at (x, y). `scratch`: of pairs_scratch values, 64-byte aligned. */
typedef void PairsTile(const Stage *stage, size_t x, size_t y, float *scratch);

extern PairsTile *const pairs_tile_portable, *const pairs_tile_avx2, *const pairs_tile_avx512;

#endif
