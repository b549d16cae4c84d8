/* blend.h: two pictures, one over the other, by the formulas of W3C Compositing and Blending Level 1.
 * Owns the arithmetic for every backend, in double. Values are stored ones up to the last step, so that the mean of two
 * whole numbers is exactly halfway between them on every level, and a source shows exactly where it is opaque. Nothing
 * is clamped but by a mode; NaN goes through the formulas, and fails every comparison; a source of no opacity leaves
 * the backdrop as it is, whatever its values. */
#ifndef GLINT_CORE_MATH_BLEND_H
#define GLINT_CORE_MATH_BLEND_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

typedef enum BlendMode {
#define BLEND(name, help, body) BLEND_##name,
#include "core/math/blend.def"
#undef BLEND
    BLEND_MODES
} BlendMode;

/* The picture and another one over it; a third may be a mask. */
typedef struct BlendJob {
    BlendMode mode;
    bool masked;       /* there is a third input, whose luma is a factor of the opacity */
    bool ignore_alpha; /* both pictures are opaque, and the result has the alpha of the first */
    double opacity;    /* 0 to 1 */
    double white;      /* full intensity in the values of the first input */
    double scale;      /* what makes of values of the second those of the first */
    double mask_white; /* full intensity in the mask's values */
} BlendJob;

GLINT_HD double blend_min(double a, double b) {
    return a < b ? a : b;
}
GLINT_HD double blend_max(double a, double b) {
    return a > b ? a : b;
}
GLINT_HD double blend_hard(double b, double s) {
    const double twice = 2 * s, more = twice - 1;
    return twice <= 1 ? b * twice : b + more - b * more;
}
GLINT_HD double blend_soft(double b, double s) {
    if (2 * s <= 1)
        return b - (1 - 2 * s) * b * (1 - b);
    const double d = 4 * b <= 1 ? ((16 * b - 12) * b + 4) * b : sqrt(b);
    return b + (2 * s - 1) * (d - b);
}

/* What becomes of a colour where both pictures are opaque; values as stored. */
GLINT_HD double blend_opaque(BlendMode mode, double backdrop, double source, double white) {
    const double b = backdrop / white, s = source / white;
    switch (mode) {
    case BLEND_normal: /* exactly */
        return source;
#define BLEND(name, help, body)                                                                                        \
case BLEND_##name:                                                                                                     \
    return white * (body);
#define BLEND_LATER
#include "core/math/blend.def"
#undef BLEND_LATER
#undef BLEND
    default:
        return source;
    }
}

/* One pixel: `backdrop` and `source` of `colours` values, as stored in the first's units, with their alphas; `opacity`
 * is that of the source, 0 to 1, without its alpha. */
GLINT_HD void blend_pixel(const BlendJob *job, int colours, const double *backdrop, double backdrop_alpha,
                          const double *source, double source_alpha, double opacity, double *out, double *out_alpha) {
    const double w = job->white, over = opacity * source_alpha / w, under = backdrop_alpha / w;
    const double all = over + under * (1 - over);
    for (int c = 0; c < colours; c++) {
        const double b = backdrop[c], s = source[c], mixed = blend_opaque(job->mode, b, s, w);
        if (over <= 0 && under > 0) /* nothing of the source shows, whatever it is */
            out[c] = b;
        else if (under >= 1 && over >= 1)
            out[c] = mixed;
        else if (under >= 1)
            out[c] = b + opacity * (source_alpha * (mixed - b)) / w;
        else
            out[c] = all > 0 ? (over * ((1 - under) * s + under * mixed) + (1 - over) * under * b) / all : 0;
    }
    *out_alpha = backdrop_alpha + over * (w - backdrop_alpha);
}

#endif
