/* point.h: functions of one pixel at a time, and programs of them.
 * Owns the arithmetic of the rows of point.def for every backend. It is double throughout, so that results round as the
 * reference's do. NaN and infinity go through the formulas; NaN fails every comparison, and is stored as 0 in u8 and
 * u16. */
#ifndef GLINT_CORE_STAGE_POINT_H
#define GLINT_CORE_STAGE_POINT_H

#include "core/math/alpha.h"
#include "core/math/host_device.h"
#include "core/math/tone.h"
#include "core/stage/stage.h"

#include <math.h>
#include <stdbool.h>

typedef enum PointFunction {
#define POINT(name, inputs, reach, alpha, help, body) POINT_##name,
#include "core/stage/point.def"
#undef POINT
    POINT_FUNCTIONS
} PointFunction;

enum { POINT_STEPS = 16, POINT_POOL = 128, POINT_CHANNELS = 4 };

/* A result may depend on one value alone, so that a table of results is possible. It may depend on the pixel's colours,
 * which are one value in gray pictures, or on the pixel. It may depend on gathered light (core/math/film.h), whose
 * stage a plan does not fuse with the next. */
typedef enum PointReach { POINT_VALUE, POINT_COLOUR, POINT_PIXEL, POINT_LIGHT } PointReach;

/* A function with all that it depends on, as a step of a program. */
typedef struct PointStep {
    PointFunction function;
    PixelType type;             /* that its result is stored as, before the next step reads it: rounded and clamped */
    int channels;               /* of its result, the first ones; 0: all */
    int parameters;             /* the place of its first in the pool */
    int reads[STAGE_INPUTS];    /* its input k >= 1 is the stage's of this number; input 0 is the step before */
    double scale[STAGE_INPUTS]; /* the factor from values of its input k >= 1 to those of its first */
    double white;               /* full intensity in the values at hand; f32 intermediates keep their source's */
} PointStep;

/* Inputs of equal width, height and channels, any types, go through the steps one after the other. The result of the
 * last is stored as out has it. */
typedef struct PointJob {
    int count; /* of steps, at least 1 */
    int pool_count;
    PointStep steps[POINT_STEPS];
    double pool[POINT_POOL]; /* of parameters */
} PointJob;

/* One pixel of each input, as stored. */
typedef struct PointPixel {
    double v[STAGE_INPUTS][POINT_CHANNELS];
} PointPixel;

/* A curve through p[0] knots, of which each is three parameters: its place, its value, its slope. In between it is
 * cubic (Hermite); beyond the first and the last, constant. NaN is the first. */
GLINT_HD double knot_curve(const double *p, double v) {
    const double *knot = p + 1, *const last = p + 1 + 3 * ((int)p[0] - 1);
    if (!(v > knot[0]))
        return knot[1];
    if (v >= last[0])
        return last[1];
    while (v >= knot[3])
        knot += 3;
    const double h = knot[3] - knot[0], t = (v - knot[0]) / h, s = 1 - t;
    return s * s * (1 + 2 * t) * knot[1] + t * t * (3 - 2 * t) * knot[4] + h * s * t * (s * knot[2] - t * knot[5]);
}

/* As it comes back after it was stored. */
GLINT_HD double point_stored(double value, PixelType type) {
    if (type == PIXEL_F32)
        return (double)(float)value;
    const double white = type == PIXEL_U8 ? 255 : 65535, low = value > 0 ? value : 0; /* NaN is 0, too */
    return (low < white ? low : white) + 0x1p52 - 0x1p52;                             /* rounded to even */
}

#define POINT_ALPHA_FIRST(in, in2, white)  (in)
#define POINT_ALPHA_SECOND(in, in2, white) (in2)
#define POINT_ALPHA_MORE(in, in2, white)   ((in) + p[0])
#define POINT_ALPHA_TIMES(in, in2, white)  ((in)*p[0])
#define POINT_ALPHA_OPAQUE(in, in2, white) (white)

#define POINT_SEEN __attribute__((unused)) const double /* what a body may see, and need not */

/* point_NAME(p, w, channels, in, in2, in3, out): one pixel of `channels` values, before it is stored. in2 and in3 are
 * in the units of `in`, and are read only where the function has so many inputs. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    GLINT_HD void point_##name(const double *p, double w, int channels, const double *in, const double *in2,           \
                               const double *in3, double *out) {                                                       \
        const bool has_alpha = channels % 2 == 0;                                                                      \
        const int colours = channels - has_alpha;                                                                      \
        POINT_SEEN last = in[channels - 1], last2 = (inputs) > 1 ? in2[channels - 1] : 0;                              \
        POINT_SEEN last3 = (inputs) > 2 ? in3[channels - 1] : 0;                                                       \
        POINT_SEEN a = has_alpha ? last / w : 1, a2 = has_alpha ? last2 / w : 1, a3 = has_alpha ? last3 / w : 1;       \
        POINT_SEEN r = in[0], g = in[colours == 3 ? 1 : 0], b = in[colours == 3 ? 2 : 0];                              \
        POINT_SEEN luma = colours == 3 ? 0.2126 * r + 0.7152 * g + 0.0722 * b : r;                                     \
        POINT_SEEN light2 =                                                                                            \
            (inputs) > 1 ? fabs(in2[0]) + fabs(in2[colours == 3 ? 1 : 0]) + fabs(in2[colours == 3 ? 2 : 0]) : 0;       \
        (void)p, (void)w, (void)in2, (void)in3;                                                                        \
        for (int c = 0; c < colours; c++) {                                                                            \
            POINT_SEEN v = in[c], v2 = (inputs) > 1 ? in2[c] : 0, v3 = (inputs) > 2 ? in3[c] : 0;                      \
            out[c] = body;                                                                                             \
        }                                                                                                              \
        if (has_alpha)                                                                                                 \
            out[colours] = POINT_ALPHA_##alpha(last, last2, w);                                                        \
    }
#include "core/stage/point.def"
#undef POINT

/* Input k of a step, in the units of its first. Written so that arrays stay in registers where `channels` is known. */
GLINT_HD void point_input(const PointStep *step, const PointPixel *in, int channels, int k, double *v) {
    const int input = step->reads[k];
    for (int c = 0; c < POINT_CHANNELS; c++)
        if (c < channels)
            v[c] = step->scale[k] * (input == 2 ? in->v[2][c] : input == 1 ? in->v[1][c] : in->v[0][c]);
}

/* Takes `v`, of `channels` values, through the step's function. */
GLINT_HD void point_apply(const PointStep *step, const double *p, const PointPixel *in, int channels, double *v) {
    double in2[POINT_CHANNELS] = {0}, in3[POINT_CHANNELS] = {0}, out[POINT_CHANNELS] = {0};
    switch (step->function) {
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
case POINT_##name:                                                                                                     \
    if ((inputs) > 1)                                                                                                  \
        point_input(step, in, channels, 1, in2);                                                                       \
    if ((inputs) > 2)                                                                                                  \
        point_input(step, in, channels, 2, in3);                                                                       \
    point_##name(p, step->white, channels, v, in2, in3, out);                                                          \
    break;
#include "core/stage/point.def"
#undef POINT
    default:
        return;
    }
    for (int c = 0; c < POINT_CHANNELS; c++)
        if (c < channels)
            v[c] = out[c];
}

/* Takes `v`, of `channels` values, through step `index`, and returns how many values the result has. */
GLINT_HD int point_step(const PointJob *job, int index, const PointPixel *in, int channels, double *v) {
    const PointStep *step = &job->steps[index];
    point_apply(step, job->pool + step->parameters, in, channels, v);
    for (int c = 0; c < POINT_CHANNELS; c++)
        if (c < channels)
            v[c] = point_stored(v[c], step->type);
    return step->channels > 0 ? step->channels : channels;
}

#endif
