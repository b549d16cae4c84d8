/* tone.h: values of sRGB, and the curves by which light is shown, of one value at a time.
 * All are double, so that results round as the float64 reference's do. */
#ifndef GLINT_CORE_MATH_TONE_H
#define GLINT_CORE_MATH_TONE_H

#include "core/math/host_device.h"

#include <math.h>

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

/* Light, 0 or more, as Reinhard et al. show it, 0 to 1 (Photographic Tone Reproduction for Digital Images, 2002,
 * equation 4): `brightest` becomes 1. */
GLINT_HD double reinhard_curve(double light, double brightest) {
    const double x = fmax(light, 0.0);
    return x < (double)INFINITY ? x * (1 + x / (brightest * brightest)) / (1 + x) : x;
}

/* Light times `factor`. If that brightens, results above `knee` go on by Reinhard's curve, as steep there, so that 1
 * stays 1. A knee of 1 or more lets them pass. */
GLINT_HD double roll_curve(double factor, double light, double knee) {
    const double more = factor * light, room = 1 - knee;
    return factor > 1 && more > knee && room > 0
               ? knee + room * reinhard_curve((more - knee) / room, (factor - knee) / room)
               : more;
}

/* The logarithm of light, a little brighter, so that black has one, rounded to a multiple of 1 / `steps`; of NaN and
 * infinity, NaN. */
GLINT_HD double light_log(double light, double more, double steps) {
    return light < (double)INFINITY ? rint(log(fmax(light, 0.0) + more) * steps) / steps : (double)NAN;
}

/* 0 to 1; NaN is 0. */
GLINT_HD double clamp_unit(double v) {
    const double low = v > 0 ? v : 0;
    return low < 1 ? low : 1;
}

#endif
