/* count.h: rows of pixels counted in tables of one thread's own, by the widest instruction set. */
#ifndef GLINT_CPU_HISTOGRAM_COUNT_H
#define GLINT_CPU_HISTOGRAM_COUNT_H

#include "core/device/backend.h"
#include "core/ops/histogram.h"

enum { TABLES_MAX = 4 };

/* Adds the pixels of row `y` to `turns` tables, which neighbouring pixels use in turns. Each table has a row for each
 * row of the result. */
typedef void CountRow(const Stage *stage, size_t y, uint32_t *tables);

/* By turns, 1 or TABLES_MAX; by type; by channels, less 1. */
typedef CountRow *const CountRows[2][PIXEL_TYPES][4];
extern CountRows count_rows_portable, count_rows_avx2, count_rows_avx512;

/* Counts with `threads` threads, each in `turns` tables. The scratch memory is histogram_workspace's. */
Status histogram_count(Queue *queue, const Stage *stage, int turns);
size_t histogram_workspace(const Device *device, const Stage *stage, int turns);

#endif
