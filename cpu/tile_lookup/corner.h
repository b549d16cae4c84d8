/* corner.h: runs of u16 and f32 values within a cell. */
#ifndef GLINT_CPU_TILE_LOOKUP_CORNER_H
#define GLINT_CPU_TILE_LOOKUP_CORNER_H

#include "core/image/image.h"
#include "core/math/bins.h"

/* Looks up `count` values, `apart` from one to the next. The table has the four results of each bin. `right` and `down`
 * are the weights of the right ones and of the lower ones. */
typedef void CornerRun(const void *from, void *to, size_t count, size_t apart, Bins bins, const float (*table)[4],
                       const double *right, double down);

extern CornerRun *const corner_runs_portable[PIXEL_TYPES], *const corner_runs_avx2[PIXEL_TYPES],
                                                               *const corner_runs_avx512[PIXEL_TYPES];

#endif
