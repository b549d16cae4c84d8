/* point.h: the operation point: each pixel becomes a function of itself. core/math/point.def has the functions. */
#ifndef GLINT_CORE_OPS_POINT_H
#define GLINT_CORE_OPS_POINT_H

#include "core/math/point.h"
#include "core/stage.h"

typedef struct PointInfo {
    const char *name, *help;
    int inputs;    /* 1 or 2 */
    bool of_value; /* a result depends on one value alone, so that a table of results is possible */
    /* One pixel of `channels` values; the functions of core/math/point.h. */
    void (*apply)(const PointJob *job, int channels, const double *in, const double *in2, double *out);
} PointInfo;

extern const PointInfo points[POINT_FUNCTIONS]; /* by PointFunction */
extern const Op op_point;

static inline const PointJob *point_job(const Stage *stage) {
    return (const PointJob *)stage->job;
}

#endif
