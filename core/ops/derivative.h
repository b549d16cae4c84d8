/* derivative.h: the operation derivative: a pair of small masks over the picture in one pass. The result is one of
 * them, the other, their length or their direction. core/math/derivative.h has the masks and the job.
 * in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. Sums of f32 pictures are f32. NaN
 * in a pixel that has a weight makes NaN (0 in whole numbers). Two infinite slopes have no direction, which is NaN.
 * Directions run from x, to the right, clockwise on the screen; one turn is white. */
#ifndef GLINT_CORE_OPS_DERIVATIVE_H
#define GLINT_CORE_OPS_DERIVATIVE_H

#include "core/math/derivative.h"
#include "core/stage/stage.h"

extern const Op op_derivative;

static inline const DerivativeJob *derivative_job(const Stage *stage) {
    return (const DerivativeJob *)stage->job;
}
/* The value that masks read beyond the edge where the border has one: times alpha if they measure that. */
static inline double derivative_outside(const DerivativeJob *job) {
    return (double)job->border.value * (job->alpha ? job->white : 1);
}

#endif
