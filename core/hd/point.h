/* point.h: operations on one pixel at a time.
 * Owns the point functions' arithmetic for every backend. It is double throughout: these functions wait for memory, and
 * 16-bit results must round as the reference's do. */
#ifndef GLINT_CORE_HD_POINT_H
#define GLINT_CORE_HD_POINT_H

#include "core/hd/hd.h"

#include <math.h>

typedef enum PointFunction {
    POINT_CONVERT,          /* the same values in another type, rounded and clamped */
    POINT_INVERT,           /* white - value; alpha stays */
    POINT_GRAYSCALE,        /* Rec. 709 luma in every colour channel; alpha stays */
    POINT_MAGNITUDE,        /* sqrt(in^2 + in2^2); alpha comes from in */
    POINT_PREMULTIPLY,      /* colour * alpha */
    POINT_UNPREMULTIPLY,    /* colour / alpha */
    POINT_UNPREMULTIPLY_BY, /* colour / alpha of in2, which also becomes the alpha */
    POINT_TO_LINEAR,        /* sRGB decoded to linear light; alpha stays */
    POINT_FROM_LINEAR,      /* linear light encoded as sRGB; alpha stays */
    POINT_EXPOSE,           /* gathered light (core/hd/light.h) to what one sample of it is worth, in linear light */
    POINT_TONE,             /* the same as a screen shows it: a film's curve, then sRGB */
    POINT_FUNCTIONS
} PointFunction;

typedef struct PointJob {
    PointFunction function;
    float white; /* the value of full intensity in the values at hand, which f32 intermediates keep from their source */
    float exposure; /* expose and tone: a factor */
} PointJob;

/* IEC 61966-2-1, values 0 to 1; beyond 1 the curve goes on, and it is mirrored for negative values. */
HD double srgb_decode(double v) {
    const double a = fabs(v);
    return copysign(a <= 0.04045 ? a / 12.92 : pow((a + 0.055) / 1.055, 2.4), v);
}
HD double srgb_encode(double v) {
    const double a = fabs(v);
    return copysign(a <= 0.0031308 ? a * 12.92 : 1.055 * pow(a, 1 / 2.4) - 0.055, v);
}

/* Light, 0 or more, as a film shows it, 0 to 1 (Narkowicz, ACES Filmic Tone Mapping Curve, 2015). */
HD double film_curve(double light) {
    const double x = fmax(light, 0.0); /* NaN is dark, too */
    const double film = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return x < 1e6 ? fmin(film, 1.0) : 1;
}

/* What expose and tone make of four channels of gathered light. */
HD void point_light(PointJob job, const double *in, double *out) {
    for (int c = 0; c < 3; c++) {
        const double light = in[3] > 0 ? (double)job.exposure * in[c] / in[3] : 0;
        out[c] = (double)job.white * (job.function == POINT_TONE ? srgb_encode(film_curve(light)) : light);
    }
    out[3] = (double)job.white;
}

/* One pixel: `channels` values of in (and in2 where the function has two inputs) to out, as stored, before rounding. */
HD void point_apply(PointJob job, int channels, const double *in, const double *in2, double *out) {
    const PointFunction function = job.function;
    const double white = (double)job.white;
    if (function >= POINT_EXPOSE) {
        point_light(job, in, out);
        return;
    }
    const int colours = channels == 2 || channels == 4 ? channels - 1 : channels;
    const double alpha = colours < channels ? in[colours] / white : 1;
    const double alpha2 = colours < channels && function == POINT_UNPREMULTIPLY_BY ? in2[colours] / white : alpha;
    const double luma = colours == 3 ? 0.2126 * in[0] + 0.7152 * in[1] + 0.0722 * in[2] : in[0];
    for (int c = 0; c < colours; c++) {
        const double v = in[c];
        switch (function) {
        case POINT_INVERT:
            out[c] = white - v;
            break;
        case POINT_GRAYSCALE:
            out[c] = luma;
            break;
        case POINT_MAGNITUDE:
            out[c] = sqrt(v * v + in2[c] * in2[c]);
            break;
        case POINT_PREMULTIPLY:
            out[c] = v * alpha;
            break;
        case POINT_UNPREMULTIPLY:
        case POINT_UNPREMULTIPLY_BY:
            out[c] = alpha2 > 0 ? v / alpha2 : 0;
            break;
        case POINT_TO_LINEAR:
            out[c] = white * srgb_decode(v / white);
            break;
        case POINT_FROM_LINEAR:
            out[c] = white * srgb_encode(v / white);
            break;
        default:
            out[c] = v;
        }
    }
    if (colours < channels)
        out[colours] = function == POINT_UNPREMULTIPLY_BY ? in2[colours] : in[colours];
}

#endif
