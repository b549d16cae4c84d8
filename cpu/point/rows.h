/* rows.h: a row through a point function in runs of pixels, channel by channel, so that loops over them become vectors.
 */
#ifndef GLINT_CPU_POINT_ROWS_H
#define GLINT_CPU_POINT_ROWS_H

#include "core/ops/point.h"

/* Carries out row `y` of the stage. By PointFunction. */
typedef void PointRow(const Stage *stage, size_t y);

extern PointRow *const point_rows_portable[POINT_FUNCTIONS], *const point_rows_avx2[POINT_FUNCTIONS],
                                                                 *const point_rows_avx512[POINT_FUNCTIONS];

#endif
