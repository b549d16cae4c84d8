/* shadows.c: dark parts brighter or darker, by one amount. */
#include "core/chain/filters/tones.h"

typedef struct Values {
    double amount, radius;
} Values;

static const Param params[] = {
    {"amount", "how much brighter dark parts become; below 0 darker", "percent", PARAM_NUMBER, offsetof(Values, amount),
     -100, 50, 100, 5},
    PARAM_AROUND(Values),
};

/* Most at a fifth of white; black and white stay. */
static const ToneKnot knots[TONE_KNOTS] = {{0, 0}, {0.2, 0.2}, {0.6, 0.1}, {1, 0}};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return plan_tones_around(to, knots, v->amount, (int)v->radius, in, out);
}

const Filter filter_shadows = {
    .name = "shadows",
    .category = FILTER_POINT,
    .help = "Brightens dark parts, and leaves bright ones.",
    .definition = "As curves through 0 0, 20 20 + amount / 5, 60 60 + amount / 10, 100 100." TONES_AROUND,
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
