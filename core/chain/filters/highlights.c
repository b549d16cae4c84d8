/* highlights.c: bright parts brighter or darker, by one amount. */
#include "core/chain/filters/tones.h"

typedef struct Values {
    double amount, radius;
} Values;

static const Param params[] = {
    {"amount", "how much brighter bright parts become; below 0 darker", "percent", PARAM_NUMBER,
     offsetof(Values, amount), -100, -50, 100, 5},
    PARAM_AROUND(Values),
};

/* Most at four fifths of white; black and white stay. */
static const ToneKnot knots[TONE_KNOTS] = {{0, 0}, {0.4, 0.1}, {0.8, 0.2}, {1, 0}};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return plan_tones_around(to, knots, v->amount, (int)v->radius, in, out);
}

const Filter filter_highlights = {
    .name = "highlights",
    .category = FILTER_POINT,
    .help = "Darkens bright parts, and leaves dark ones.",
    .definition = "As curves through 0 0, 40 40 + amount / 10, 80 80 + amount / 5, 100 100: shadows of the negative, "
                  "with the other sign." TONES_AROUND,
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
