/* kuwahara.h: how even a quadrant is, for every backend. Comparisons decide here, so luma and its variance are whole
 * numbers, alike everywhere. */
#ifndef GLINT_CORE_MATH_KUWAHARA_H
#define GLINT_CORE_MATH_KUWAHARA_H

#include "core/math/border_index.h"
#include "core/math/host_device.h"

#include <math.h>
#include <stdint.h>

enum { KUWAHARA_RADIUS_MAX = 15, KUWAHARA_LUMA_MAX = 1 << 24 };

typedef struct KuwaharaJob {
    int radius;  /* 1 to KUWAHARA_RADIUS_MAX: quadrants have radius + 1 pixels a side */
    double unit; /* 256 steps of luma in stored values: 1, or a 2^14th of white in f32 */
    Border border;
} KuwaharaJob;

/* A luma near that of Rec. 709, whose weights are rounded to 256ths: of the first three channels, or of the first one
 * if there are fewer. NaN is darkest. */
GLINT_HD int kuwahara_luma(const KuwaharaJob *job, double r, double g, double b) {
    const double luma = (54 * r + 183 * g + 19 * b) / job->unit, max = KUWAHARA_LUMA_MAX;
    return (int)rint(fmin(fmax(luma, -max), max));
}

/* The variance of `count` values times count^2, of their sum and that of their squares; bits beyond 64 cancel out. */
GLINT_HD uint64_t kuwahara_variance(uint64_t count, int64_t sum, uint64_t squares) {
    return count * squares - (uint64_t)sum * (uint64_t)sum;
}

#endif
