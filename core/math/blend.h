/* blend.h: two pictures, one over the other, by the formulas of W3C Compositing and Blending Level 1.
 * Owns the arithmetic for every backend, in double. Values are stored ones up to the last step. The mean of two whole
 * numbers is then exactly halfway between them on every level, and a source shows exactly where it is opaque. Nothing
 * is clamped but by a mode. NaN goes through the formulas, and fails every comparison. A source of no opacity leaves
 * the backdrop as it is, whatever its values. */
#ifndef GLINT_CORE_MATH_BLEND_H
#define GLINT_CORE_MATH_BLEND_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

typedef enum BlendMode {
#define BLEND(name, help, whole, body) BLEND_##name,
#include "core/math/blend.def"
#undef BLEND
    BLEND_MODES
} BlendMode;

/* The picture and another one over it; a third may be a mask. */
typedef struct BlendJob {
    BlendMode mode;
    bool masked;        /* there is a third input, whose luma is a factor of the opacity */
    bool ignore_alpha;  /* both pictures are opaque, and the result has the alpha of the first */
    bool premultiplied; /* of f32: colours are multiplied by alpha; light where that is 0 is added, whatever the mode */
    double opacity;     /* 0 to 1 */
    double white;       /* full intensity in the values of the first input */
    double scale;       /* makes values of the first of those of the second */
    double mask_white;  /* full intensity in the mask's values */
} BlendJob;

#define BLEND_REAL       double
#define BLEND_AS(name)   name
#define BLEND_ROUNDING   0x1p-53
#define BLEND_HALVES     0x1.8p52
#define BLEND_ROOT       sqrt
#define BLEND_INVERSE(x) (1 / (x))
#include "core/math/blend_real.h"

#define BLEND_REAL     float
#define BLEND_AS(name) name##_single
#define BLEND_ROUNDING 0x1p-24f
#define BLEND_HALVES   0x1.8p23f
#define BLEND_ROOT     sqrtf
#if defined(__CUDA_ARCH__)
#    define BLEND_INVERSE(x) __frcp_rn(x)
#else
#    define BLEND_INVERSE(x) (1 / (x))
#endif
#include "core/math/blend_real.h"

/* A colour of premultiplied pixels whose alphas are `under` and `shown`, 0 to 1, and of `opacity` without its alpha. */
GLINT_HD double blend_premultiplied(const BlendJob *job, double b, double under, double s, double shown,
                                    double opacity) {
    const double over = opacity * shown, both = over * under, w = job->white;
    double sum = over < 1 ? (1 - over) * b : 0;
    if (opacity <= 0)
        return b;
    if (shown <= 0 || under < 1)
        sum += opacity * (shown > 0 ? 1 - under : 1) * s;
    return both > 0 ? sum + both * blend_mixed(job->mode, b / under, s / shown, w, 1 / w) : sum;
}

/* Blends one pixel: `backdrop` and `source` of `colours` values, as stored in the first's units, with their alphas.
 * `opacity` is that of the source, 0 to 1, without its alpha. */
GLINT_HD void blend_pixel(const BlendJob *job, int colours, const double *backdrop, double backdrop_alpha,
                          const double *source, double source_alpha, double opacity, double *out, double *out_alpha) {
    const double w = job->white, over = opacity * source_alpha / w, under = backdrop_alpha / w;
    const double all = over + under * (1 - over);
    for (int c = 0; c < colours; c++) {
        const double b = backdrop[c], s = source[c];
        if (job->premultiplied) {
            out[c] = blend_premultiplied(job, b, under, s, source_alpha / w, opacity);
            continue;
        }
        const double mixed = blend_mixed(job->mode, b, s, w, 1 / w);
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

/* ---- blends by shares ----
 * A colour is backdrop * b + source * s + mixed * blend_mixed(...) of blend_shares, or backdrop * b + normal * s:
 * quick, and off by a few roundings. Where no half lies within the error, the result is that of blend_pixel, which is
 * asked otherwise. Bytes in f32, in units of u = 2^-24, and with all terms at most 255, are off by less than 2^-13
 * (1977 u). The opacity gives 2, the sides of the denominator 3/4, their sum and its inverse 1 each; shares, products
 * and their sum 1 each. Other modes are off by less than 2^-12: 2 more of shares and of sums, and the error of `mixed`,
 * 2^-14 (tests/unit/test_blend.c takes all pairs). */
#define BLEND_ERROR_SINGLE 0x1p-12f /* a half for normal */
#define BLEND_ERROR        0x1p-30  /* of u16 in double */

/* The error of blends by shares: a half or more if the opacity is next to none, since inverses overflow. */
GLINT_HD double blend_error(const BlendJob *job, double error) {
    return job->opacity != 0 && job->opacity < 0x1p-20 ? 1 : job->mode == BLEND_normal ? error / 2 : error;
}
/* Whether opaque pixels are blended without any error: halves are common then, if the opacity is 50 %. A colour needs
 * an opaque pixel and a mode of whole numbers for this, alpha an opaque source. */
GLINT_HD bool blend_is_dyadic(const BlendJob *job) {
    const double scaled = job->opacity * 0x1p14;
    return !job->masked && scaled == floor(scaled);
}
GLINT_HD bool blend_is_whole(BlendMode mode) {
    switch (mode) {
#define BLEND(name, help, whole, body)                                                                                 \
case BLEND_##name:                                                                                                     \
    return whole;
#include "core/math/blend.def"
#undef BLEND
    default:
        return false;
    }
}

#endif
