/* rows.h: a row through a step of diffusion by vectors. */
#ifndef GLINT_CPU_DIFFUSE_ROWS_H
#define GLINT_CPU_DIFFUSE_ROWS_H

#include "core/ops/diffuse.h"

/* Rows `top` to `bottom` of the stage, exclusive. */
typedef void DiffuseRows(const Stage *stage, size_t top, size_t bottom);

extern DiffuseRows *const diffuse_rows_portable, *const diffuse_rows_avx2, *const diffuse_rows_avx512;

#endif
