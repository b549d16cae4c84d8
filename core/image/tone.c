/* tone.c: curves between values and light. */
#include "core/image/tone.h"

#include <string.h>

double tone_value(int knot) {
    const double x = (double)knot / (KNOTS_MAX - 1);
    return x * x;
}

void tone_knots(const ToneCurve *tone, bool back, Knots *knots) {
    knots->count = tone->count;
    for (int i = 0; i < tone->count; i++) {
        const double value = tone_value(i), light = tone->light[i];
        knots->list[i] = back ? (Knot){light, value, 0} : (Knot){value, light, 0};
    }
    knots_smooth(knots);
}

static bool same(double a, double b) {
    return !(a < b) && !(b < a);
}

bool tone_equal(const ToneCurve *a, const ToneCurve *b) {
    bool equal = same(a->gamma, b->gamma) && a->count == b->count && a->premultiplied == b->premultiplied;
    for (int i = 0; i < a->count && equal; i++)
        equal = same(a->light[i], b->light[i]);
    return equal;
}
