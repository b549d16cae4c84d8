/* blacks.c: the black point, by one amount. */
#include "core/chain/filters/tones.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "how much brighter the darkest parts become; below 0 darker, beyond black, too", "percent", PARAM_NUMBER,
     offsetof(Values, amount), -100, -50, 100, 5},
};

/* The darker half bends so that black moves. */
static const ToneKnot knots[TONE_KNOTS] = {{0, 0.2}, {0.25, 0.05}, {0.5, 0}, {1, 0}};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_tones(to, knots, ((const Values *)values)->amount, in, out);
}

const Filter filter_blacks = {
    .name = "blacks",
    .category = FILTER_POINT,
    .help = "Moves the black point, and leaves the brighter half.",
    .definition = "As curves through 0 amount / 5, 25 25 + amount / 20, 50 50, 100 100: whites of the negative, with "
                  "the other sign.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
