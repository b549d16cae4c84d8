/* tones.h: curves that move one end of brightness, for the filters shadows, highlights, whites and blacks. */
#ifndef GLINT_CORE_CHAIN_FILTERS_TONES_H
#define GLINT_CORE_CHAIN_FILTERS_TONES_H

#include "core/chain/filters/filters.h"
#include "core/ops/guided.h"

enum { TONE_KNOTS = 4 };

/* A knot of a curve: its place, and how far an amount of 100 percent moves its value up from there. */
typedef struct ToneKnot {
    double at, by;
} ToneKnot;

/* Appends the smooth curve through these knots (core/image/knots.h), moved by `percent` of their ways. It never falls
 * from -100 to 100 percent. */
Status plan_tones(Plan *plan, const ToneKnot knots[TONE_KNOTS], double percent, int in, int *out);
/* The same by what is around a pixel: all of it becomes as much brighter as the curve makes its surroundings. These are
 * the luma through the operation guided. Details keep their contrast, and edges have no halos. Radius 0: as plan_tones.
 */
Status plan_tones_around(Plan *plan, const ToneKnot knots[TONE_KNOTS], double percent, int radius, int in, int *out);

/* The parameter of such filters; its value is a `double radius` of their values. */
#define PARAM_AROUND(Values)                                                                                           \
    {                                                                                                                  \
        "radius",                                                                                                      \
            "how far around a pixel its tone is found, so that details keep their contrast; 0: by its own value",      \
            "pixels", PARAM_WHOLE, offsetof(Values, radius), 0, 0, GUIDED_RADIUS_MAX, 1                                \
    }
#define TONES_AROUND                                                                                                   \
    " With a radius, the curve C is of B, the luma through guided=radius:edge=0.1, and values are times "              \
    "(C(B) + e) / (B + e), e = 1 / 4096."

#endif
