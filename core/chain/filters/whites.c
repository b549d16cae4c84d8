/* whites.c: the white point, by one amount. */
#include "core/chain/filters/tones.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "how much brighter the brightest parts become, beyond white, too; below 0 darker than white", "percent",
     PARAM_NUMBER, offsetof(Values, amount), -100, 50, 100, 5},
};

/* The brighter half bends so that white moves. */
static const ToneKnot knots[TONE_KNOTS] = {{0, 0}, {0.5, 0}, {0.75, 0.05}, {1, 0.2}};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_tones(to, knots, ((const Values *)values)->amount, in, out);
}

const Filter filter_whites = {
    .name = "whites",
    .category = FILTER_POINT,
    .help = "Moves the white point, and leaves the darker half.",
    .definition = "As curves through 0 0, 50 50, 75 75 + amount / 20, 100 100 + amount / 5.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
