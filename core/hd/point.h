/* point.h: operations on one pixel at a time.
 * Owns the point functions' arithmetic for every backend. */
#ifndef GLINT_CORE_HD_POINT_H
#define GLINT_CORE_HD_POINT_H

#include "core/hd/hd.h"

typedef enum PointFunction {
    POINT_CONVERT,       /* the same values in another type, rounded and clamped */
    POINT_INVERT,        /* white - value; alpha stays */
    POINT_GRAYSCALE,     /* Rec. 709 luma in every colour channel; alpha stays */
    POINT_MAGNITUDE,     /* sqrt(in^2 + in2^2); alpha comes from in */
    POINT_PREMULTIPLY,   /* colour * alpha */
    POINT_UNPREMULTIPLY, /* colour / alpha, alpha from in */
    POINT_UNPREMULTIPLY_BY, /* colour / alpha, alpha from in2 */
    POINT_TO_LINEAR,     /* sRGB decoded to linear light; alpha stays */
    POINT_FROM_LINEAR,   /* linear light encoded as sRGB; alpha stays */
    POINT_FUNCTIONS
} PointFunction;

#endif
