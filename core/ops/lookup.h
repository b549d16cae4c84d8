/* lookup.h: the operation lookup: a picture's values through a curve that a frame holds.
 * in[0] is the picture; in[1] the curve (core/ops/curve.h), of the picture's type, with one row for all colours or one
 * for each. u8 and u16 values are looked up. f32 values lie between two bins: they become the value of a straight line
 * between the results of both, or the nearest result. Beyond the ends, the last result goes on, or the line through
 * both ends. f32 values may also go through a line that takes the place of a row (LINE_VALUES wide). NaN stays NaN.
 * Alpha stays. */
#ifndef GLINT_CORE_OPS_LOOKUP_H
#define GLINT_CORE_OPS_LOOKUP_H

#include "core/math/bins.h"
#include "core/stage/stage.h"

typedef struct LookupJob {
    Bins bins;    /* of the curve */
    bool luma;    /* luma is looked up, and every colour becomes the result */
    bool nearest; /* f32: no lines between bins */
    bool extend;  /* f32: beyond the ends, the line through both ends goes on */
    bool line;    /* f32: there are no bins, but a line (core/math/bins.h) */
} LookupJob;

extern const Op op_lookup;

static inline const LookupJob *lookup_job(const Stage *stage) {
    return (const LookupJob *)stage->job;
}

/* An f32 value through a row of the curve. */
GLINT_HD float lookup_real(const LookupJob *job, const float *curve, float value) {
    const Bins bins = job->bins;
    if (!(value == value))
        return value;
    if (job->line)
        return line_value(curve, value);
    if (job->nearest)
        return curve[bin_of(bins, value)];
    const float last = (float)(bins.count - 1), at = (value - bins.low) * bins.scale;
    if (!(at > 0 && at < last)) { /* an end is hit exactly, and infinity on a level line is no NaN */
        const float first = curve[0], end = curve[bins.count - 1], slope = (end - first) / last;
        const float near = at > 0 ? end : first, beyond = at > 0 ? at - last : at;
        return job->extend && beyond * slope == beyond * slope ? near + beyond * slope : near;
    }
    const int i = (int)at;
    return curve[i] + (at - (float)i) * (curve[i + 1] - curve[i]);
}

#endif
