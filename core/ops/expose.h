/* expose.h: the operation expose: a picture's light scaled so that its mean becomes a key.
 * in[0] is the result of op_reduce (REDUCE_SUM, REDUCE_COUNT) for the logarithms of light, of which the first channel
 * counts. in[1] is the picture, of any type. The result is f32, values times one factor (core/math/expose.h); alpha
 * stays. */
#ifndef GLINT_CORE_OPS_EXPOSE_H
#define GLINT_CORE_OPS_EXPOSE_H

#include "core/math/expose.h"
#include "core/stage/stage.h"

typedef struct ExposeJob {
    double key; /* the result's mean, of full intensity */
} ExposeJob;

extern const Op op_expose;

static inline const ExposeJob *expose_job(const Stage *stage) {
    return (const ExposeJob *)stage->job;
}

#endif
