/* rows.h: a row of a warp, as rows.isa.c makes it. */
#ifndef GLINT_CPU_WARP_ROWS_H
#define GLINT_CPU_WARP_ROWS_H

#include "core/ops/warp.h"

typedef void WarpRow(const Stage *stage, size_t y);
extern WarpRow *const warp_row_portable, *const warp_row_avx2, *const warp_row_avx512;

#endif
