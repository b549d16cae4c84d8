/* lookup.h: the operation lookup: a picture's values through a curve that a frame holds.
 * in[0] is the picture; in[1] the curve (core/ops/curve.h), of the picture's type, with one row for all colours or one
 * for each. u8 and u16 values are looked up; f32 values lie between two bins and become what a straight line between
 * their results gives, or those of the nearest; beyond the ends, the last result goes on. NaN stays NaN. Alpha stays.
 */
#ifndef GLINT_CORE_OPS_LOOKUP_H
#define GLINT_CORE_OPS_LOOKUP_H

#include "core/math/bins.h"
#include "core/stage.h"

typedef struct LookupJob {
    Bins bins;    /* of the curve */
    bool luma;    /* luma is looked up, and every colour becomes the result */
    bool nearest; /* f32: no lines between bins */
    bool extend;  /* f32: the first and the last line go on beyond the ends */
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
    if (job->nearest)
        return curve[bin_of(bins, value)];
    const float last = (float)(bins.count - 1);
    float at = (value - bins.low) * bins.scale;
    if (!job->extend)
        at = fminf(fmaxf(at, 0.0F), last);
    const int i = (int)fminf(fmaxf(at, 0.0F), last - 1);
    const float low = curve[i], high = curve[i + 1];
    /* an end is met exactly, and infinity does not become NaN between two equal results */
    return at == (float)i ? low : low < high || low > high ? low + (at - (float)i) * (high - low) : low;
}

#endif
