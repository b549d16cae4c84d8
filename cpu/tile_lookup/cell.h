/* cell.h: runs of bytes within a cell, all of whose pixels lie between the same four tiles. */
#ifndef GLINT_CPU_TILE_LOOKUP_CELL_H
#define GLINT_CPU_TILE_LOOKUP_CELL_H

#include <stddef.h>
#include <stdint.h>

/* Looks up `count` values, `apart` bytes from one to the next. The table has the four results of a value in one word.
 * `right` and `down` are the weights of the right ones and of the lower ones. */
typedef void CellRun(const uint8_t *from, uint8_t *to, size_t count, size_t apart, const uint32_t *table,
                     const float *right, float down);

extern CellRun *const cell_run_portable, *const cell_run_avx2, *const cell_run_avx512;

#endif
