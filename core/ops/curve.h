/* curve.h: the operation curve: of a histogram, what each value shall become.
 * Its result has a row for each row of the histogram (or one) and a column for each bin, stored as the type of the
 * pictures that will be looked up in it. core/math/curve.def has the kinds. */
#ifndef GLINT_CORE_OPS_CURVE_H
#define GLINT_CORE_OPS_CURVE_H

#include "core/math/curve.h"
#include "core/stage.h"

typedef struct CurveInfo {
    const char *name, *help;
} CurveInfo;

extern const CurveInfo curves[CURVE_KINDS]; /* by CurveKind */
extern const Op op_curve;

static inline const CurveJob *curve_job(const Stage *stage) {
    return (const CurveJob *)stage->job;
}

#endif
