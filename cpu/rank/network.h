/* network.h: medians of small squares by sorting networks, tile by tile. */
#ifndef GLINT_CPU_RANK_NETWORK_H
#define GLINT_CPU_RANK_NETWORK_H

#include "core/device/backend.h"
#include "core/ops/rank.h"

enum {
    NETWORK_ROWS = 12,  /* of a tile in scratch, beyond its own: a window's, and those that four rows at a time need */
    NETWORK_ROWS_3 = 13 /* of a tile of 3 x 3, all told */
};

/* The job that all tiles of a stage share. */
typedef struct NetworkTile {
    const Stage *stage;
    size_t width, rows; /* of a tile in pixels; rows are a multiple of 4 */
    size_t length;      /* of a row in scratch, in bytes */
    bool stream;        /* write past the caches: the output is larger than they are */
} NetworkTile;

/* Carries out the tile whose upper left pixel is (x, y), in `scratch`. */
typedef void NetworkRun(const NetworkTile *tile, size_t x, size_t y, char *scratch);

extern NetworkRun *const network_run_portable, *const network_run_avx2, *const network_run_avx512;

#endif
