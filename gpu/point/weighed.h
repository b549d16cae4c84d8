/* weighed.h: points around an operation that are colours times alpha, and by it. */
#ifndef GLINT_GPU_POINT_WEIGHED_H
#define GLINT_GPU_POINT_WEIGHED_H

#include "core/stage/stage.h"

/* Whether the stage's points do no more than this: bytes become products with their alpha, of f32, and the result
 * becomes bytes by its alpha. gpu/point/weighed.cuh has the arithmetic. */
bool gpu_points_weigh(const Stage *stage);

#endif
