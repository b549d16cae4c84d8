/* rows.h: a tile of a warp, as rows.isa.c makes it. A row of the result lies across many of the picture's; those that a
 * short one reads stay in the cache for the next. */
#ifndef GLINT_CPU_WARP_ROWS_H
#define GLINT_CPU_WARP_ROWS_H

#include "core/ops/warp.h"
#include "cpu/team.h"

enum { WARP_COLUMNS = 128, WARP_ROWS = 32 }; /* of a tile */

/* The work on a stage's tile. */
extern TeamTile *const warp_tile_portable, *const warp_tile_avx2, *const warp_tile_avx512;

#endif
