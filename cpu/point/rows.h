/* rows.h: a row through a point program in runs of pixels. A program is carried out part by part. Tables and products
 * with alpha take stored values to stored values. Other steps go through planes of doubles, channel by channel. Every
 * part takes as long as it would as a stage of its own, without the way to memory. */
#ifndef GLINT_CPU_POINT_ROWS_H
#define GLINT_CPU_POINT_ROWS_H

#include "cpu/planes.h"
#include "cpu/point/program.h"

/* The planes of a run, and those that steps write in turns; pixels as they are stored between two parts. Holds nothing
 * from one run to the next. */
typedef struct PointScratch {
    Planes in[STAGE_INPUTS], made[2];
    _Alignas(64) unsigned char stored[2][PLANES_RUN * POINT_CHANNELS * sizeof(float)];
} PointScratch;

/* Carries out row `y` of the stage, by the program of its job. */
typedef void PointRow(const Stage *stage, const PointProgram *program, size_t y, PointScratch *scratch);

extern PointRow *const point_row_portable, *const point_row_avx2, *const point_row_avx512;

/* The one of the widest instruction set. */
PointRow *point_row_vectors(void);

/* All rows of the stage, shared out among the cores. STATUS_DEVICE if memory is short. */
Status point_run_rows(Queue *queue, const Stage *stage, bool looks_up);

#endif
