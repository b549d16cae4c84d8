/* tile.h: a tile of the picture through non-local means by vectors.
 * The tile and its surroundings are planes, one a channel, with the border filled in. It goes offset by offset. The
 * squared differences of all pixels are made once and summed up over patches, down the columns and along the rows. A
 * patch thus costs its side and not its area. */
#ifndef GLINT_CPU_NLMEANS_TILE_H
#define GLINT_CPU_NLMEANS_TILE_H

#include "core/ops/nlmeans.h"

enum { NLMEANS_COLUMNS = 128, NLMEANS_ROWS = 32, NLMEANS_PAD = 32 }; /* of a tile, in pixels */

/* The tile that begins at (x, y). `scratch`: nlmeans_tile_bytes. Sums of u16 are double. */
typedef void NlmeansTile(const Stage *stage, size_t x, size_t y, void *scratch);

extern NlmeansTile *const nlmeans_tile_portable, *const nlmeans_tile_avx2, *const nlmeans_tile_avx512;

/* Columns and rows that a tile reads, of planes. */
static inline size_t nlmeans_pitch(const NlmeansJob *job) {
    return NLMEANS_COLUMNS + 2 * ((size_t)job->search + (size_t)job->patch) + NLMEANS_PAD;
}
static inline size_t nlmeans_rows(const NlmeansJob *job) {
    return NLMEANS_ROWS + 2 * ((size_t)job->search + (size_t)job->patch);
}

#endif
