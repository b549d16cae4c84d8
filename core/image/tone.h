/* tone.h: how a picture's values stand for light, if it is not sRGB's way, or if they are multiplied by alpha.
 * Owns the type; core/image/icc.h reads it from profiles, plans decode and encode by it. */
#ifndef GLINT_CORE_IMAGE_TONE_H
#define GLINT_CORE_IMAGE_TONE_H

#include "core/image/knots.h"

#include <stdbool.h>

/* Zeroed, it is sRGB's curve. */
typedef struct ToneCurve {
    bool premultiplied;      /* Image.premultiplied */
    double gamma;            /* light is this power of a value; 0: it is not one */
    int count;               /* of `light`: KNOTS_MAX, or 0: it is sRGB's */
    double light[KNOTS_MAX]; /* ascending from 0 to 1, at the values that tone_value gives */
} ToneCurve;

/* Where the knots are: closer to each other in the dark. */
double tone_value(int knot);
/* The curve from values to light, or back. */
void tone_knots(const ToneCurve *tone, bool back, Knots *knots);
bool tone_equal(const ToneCurve *a, const ToneCurve *b);

#endif
