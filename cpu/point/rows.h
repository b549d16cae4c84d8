/* rows.h: a row through a point program in runs of pixels, channel by channel, so that loops over them become vectors.
 */
#ifndef GLINT_CPU_POINT_ROWS_H
#define GLINT_CPU_POINT_ROWS_H

#include "core/device/backend.h"
#include "core/ops/point.h"
#include "core/stage/stairs.h"
#include "cpu/planes.h"

/* The results of steps for each value of 8 or 16 bits that they read; or a step by stairs. */
typedef struct PointTable {
    int steps;    /* how many; 0: there is no table, the step is carried out */
    float *after; /* 256 or 65536: f32 holds all stored values exactly; NULL where there are stairs */
    const Stairs *stairs;
} PointTable;

/* The planes of a run, and those that steps write in turns. Holds nothing from one run to the next. */
typedef struct PointScratch {
    Planes in[STAGE_INPUTS], made[2];
} PointScratch;

/* Carries out row `y` of the stage. `tables` has one for the steps from each step on. */
typedef void PointRow(const Stage *stage, const PointTable tables[POINT_STEPS], size_t y, PointScratch *scratch);

extern PointRow *const point_row_portable, *const point_row_avx2, *const point_row_avx512;

/* The one of the widest instruction set. */
PointRow *point_row_vectors(void);

/* All rows of the stage, shared out among the cores. */
void point_run_rows(Queue *queue, const Stage *stage, const PointTable tables[POINT_STEPS]);

#endif
