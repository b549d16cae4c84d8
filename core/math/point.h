/* point.h: functions of one pixel at a time.
 * Owns the arithmetic of the rows of point.def for every backend. It is double throughout: these functions wait for
 * memory, and 16-bit results must round as the reference's do. */
#ifndef GLINT_CORE_MATH_POINT_H
#define GLINT_CORE_MATH_POINT_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

typedef enum PointFunction {
#define POINT(name, inputs, reach, alpha, help, body) POINT_##name,
#include "core/math/point.def"
#undef POINT
    POINT_FUNCTIONS
} PointFunction;

enum { POINT_PARAMETERS = 4 };

/* in[0] (and in[1] where the function has two inputs) -> out: equal width and height, any types. */
typedef struct PointJob {
    PointFunction function;
    int channels; /* of out, the first ones; 0: as many as in[0] has */
    double
        white; /* the value of full intensity in the values at hand, which f32 intermediates keep from their source */
    double parameters[POINT_PARAMETERS];
} PointJob;

/* IEC 61966-2-1, values 0 to 1; beyond 1 the curve goes on, and it is mirrored for negative values. */
GLINT_HD double srgb_decode(double v) {
    const double a = fabs(v);
    return copysign(a <= 0.04045 ? a / 12.92 : pow((a + 0.055) / 1.055, 2.4), v);
}
GLINT_HD double srgb_encode(double v) {
    const double a = fabs(v);
    return copysign(a <= 0.0031308 ? a * 12.92 : 1.055 * pow(a, 1 / 2.4) - 0.055, v);
}

/* Light, 0 or more, as a film shows it, 0 to 1 (Narkowicz, ACES Filmic Tone Mapping Curve, 2015). */
GLINT_HD double film_curve(double light) {
    const double x = fmax(light, 0.0); /* NaN is dark, too */
    const double film = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return x < 1e6 ? fmin(film, 1.0) : 1;
}

#define POINT_ALPHA_FIRST(in, in2, white)  (in)
#define POINT_ALPHA_SECOND(in, in2, white) (in2)
#define POINT_ALPHA_OPAQUE(in, in2, white) (white)

#define POINT_SEEN __attribute__((unused)) const double /* what a body may see, and need not */

/* point_NAME(job, channels, in, in2, out): one pixel of `channels` values, as stored, before rounding. in2 is read
 * only where the function has two inputs. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    GLINT_HD void point_##name(const PointJob *job, int channels, const double *in, const double *in2, double *out) {  \
        const bool has_alpha = channels % 2 == 0;                                                                      \
        const int colours = channels - has_alpha;                                                                      \
        POINT_SEEN *p = job->parameters, w = job->white;                                                               \
        POINT_SEEN last = in[channels - 1], last2 = (inputs) > 1 ? in2[channels - 1] : 0;                              \
        POINT_SEEN a = has_alpha ? last / w : 1, a2 = has_alpha ? last2 / w : 1;                                       \
        POINT_SEEN luma = colours == 3 ? 0.2126 * in[0] + 0.7152 * in[1] + 0.0722 * in[2] : in[0];                     \
        for (int c = 0; c < colours; c++) {                                                                            \
            POINT_SEEN v = in[c], v2 = (inputs) > 1 ? in2[c] : 0;                                                      \
            out[c] = body;                                                                                             \
        }                                                                                                              \
        if (has_alpha)                                                                                                 \
            out[colours] = POINT_ALPHA_##alpha(last, last2, w);                                                        \
    }
#include "core/math/point.def"
#undef POINT

#endif
