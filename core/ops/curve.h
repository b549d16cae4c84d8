/* curve.h: the operation curve: of a histogram, the new value of each value.
 * Its result has a row for each row of the histogram (or one) and a column for each bin. It has the type of the
 * pictures to look up in it. core/math/curve.def has the kinds. A stretch from the minimum to the maximum also goes by
 * the results of op_reduce (REDUCE_EXTREMA) in the first `extrema` channels. A row then has LINE_VALUES columns if the
 * job asks for a line. */
#ifndef GLINT_CORE_OPS_CURVE_H
#define GLINT_CORE_OPS_CURVE_H

#include "core/math/curve.h"
#include "core/stage/stage.h"

typedef struct CurveInfo {
    const char *name, *help;
} CurveInfo;

extern const CurveInfo curves[CURVE_KINDS]; /* by CurveKind */
extern const Op op_curve;

static inline const CurveJob *curve_job(const Stage *stage) {
    return (const CurveJob *)stage->job;
}
/* A stretch from the minimum to the maximum; any other needs a histogram. */
static inline bool curve_needs_extrema_alone(const CurveJob *job) {
    return job->kind == CURVE_stretch && !(job->parameters[0] > 0) && !(job->parameters[1] > 0);
}

#endif
