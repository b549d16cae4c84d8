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

/* At least `values` of a row, in an odd number of lines of the cache: rows below one another then share no place in
 * it. */
static inline size_t pairs_lines(size_t values) {
    return ((values + PAIRS_LANES - 1) / PAIRS_LANES | 1) * PAIRS_LANES;
}
/* Values between two rows of the tile's planes, and of sums of columns and weights. */
static inline size_t pairs_pitch(int search) {
    return pairs_lines((size_t)PAIRS_COLUMNS + 2 * ((size_t)search + PAIRS_PATCH) + 2 * (size_t)PAIRS_LANES);
}
static inline size_t pairs_narrow(int search) {
    return pairs_lines((size_t)PAIRS_COLUMNS + (size_t)search + 2 * (size_t)PAIRS_LANES);
}
/* Rows of the planes: some are read ahead. */
static inline size_t pairs_rows(int search) {
    return PAIRS_ROWS + 2 * ((size_t)search + PAIRS_PATCH) + 4;
}
/* The values of a tile's scratch: planes, sums of weights and of values, a block of columns' sums, weights. */
static inline size_t pairs_scratch(int search, int channels) {
    return (size_t)channels * pairs_pitch(search) * pairs_rows(search) +
           ((size_t)channels + 1) * PAIRS_ROWS * PAIRS_COLUMNS +
           (PAIRS_BLOCK + 2 * PAIRS_PATCH + 4 + (2 * (size_t)search + 1) * PAIRS_BLOCK) * pairs_narrow(search);
}

/* The tile that begins at (x, y). `scratch`: of pairs_scratch values, 64-byte aligned. */
typedef void PairsTile(const Stage *stage, size_t x, size_t y, float *scratch);

extern PairsTile *const pairs_tile_portable, *const pairs_tile_avx2, *const pairs_tile_avx512;

#endif
