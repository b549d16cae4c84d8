/* tiles.h: the operations of an equalization by tiles (CLAHE): tile_histogram, tile_curve and tile_lookup.
 * tile_histogram counts a picture's tiles. Its result has a row of PIXEL_U32 for each tile and colour (or luma), tile
 * after tile, of 256 bins, whatever the picture's type. A picture in 16 bits that holds 8 bits is counted as in 8.
 * Beyond the picture, tiles count it mirrored. NaN is not counted.
 * tile_curve clips each row, gives the counts cut off to all bins, and makes the curve of the sums. Results are u8 for
 * u8 pictures, else f32, not rounded.
 * tile_lookup takes each value through the curves of the four tiles whose centres are nearest. It weighs their results
 * by the distances (of u8, in 256ths). NaN and alpha stay, and values beyond the bins become the last result. */
#ifndef GLINT_CORE_OPS_TILES_H
#define GLINT_CORE_OPS_TILES_H

#include "core/math/border_index.h"
#include "core/math/tiles.h"
#include "core/stage/stage.h"

/* The job of all three operations; none reads members that do not concern it. */
typedef struct TilesJob {
    PixelType type; /* of the picture */
    int colours;    /* rows for each tile */
    Tiles tiles;
    Bins bins;
    bool luma;    /* of three colours: one row, and one curve for all */
    bool visible; /* pixels whose alpha is 0, or NaN, are not counted */
    double clip;  /* times the count of a bin if all bins held the same; 0: nothing is cut off */
    double white; /* full intensity in the values at hand */
    int rows;     /* of the whole picture: the one at hand may be a part of it, */
    int top;      /* beginning at this row: then its own pixels are counted, in the whole's tiles */
} TilesJob;

extern const Op op_tile_histogram, op_tile_curve, op_tile_lookup;

/* The job for pictures of this shape, and for parts that have all of their width. The histogram of an f32 picture
 * counts values from 0 to `high`. */
TilesJob tiles_job(Shape picture, int across, int down, bool luma, double high);

/* Where row y of all tiles lies in the picture at hand, of `rows` rows; -1: in none of them. */
GLINT_HD int tiles_row(const TilesJob *job, int y, int rows) {
    const int row = (int)border_index(BORDER_MIRROR, y, job->rows) - job->top;
    return row >= 0 && row < rows ? row : -1;
}

static inline const TilesJob *tiles_job_of(const Stage *stage) {
    return (const TilesJob *)stage->job;
}

#endif
