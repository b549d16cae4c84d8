/* rows.h: a row of colours through a table, in runs of pixels. */
#ifndef GLINT_CPU_CUBE_ROWS_H
#define GLINT_CPU_CUBE_ROWS_H

#include "core/ops/cube.h"

typedef void CubeRow(const Stage *stage, size_t y);

extern CubeRow *const cube_row_portable, *const cube_row_avx2, *const cube_row_avx512;

#endif
