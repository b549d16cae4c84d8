/* shadows.c: dark parts brighter or darker, by one amount. */
#include "core/image/knots.h"

#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "how much brighter dark parts become; below 0 darker", "percent", PARAM_NUMBER, offsetof(Values, amount),
     -100, 50, 100, 5},
};

/* A curve that never falls, for each amount. */
static Status plan(const void *values, Plan *to, int in, int *out) {
    const double amount = ((const Values *)values)->amount / 100;
    double parameters[KNOT_PARAMETERS];
    Knots knots = {4, {{0, 0, 0}, {0.2, 0.2 + 0.2 * amount, 0}, {0.6, 0.6 + 0.1 * amount, 0}, {1, 1, 0}}};
    knots_smooth(&knots);
    const int count = knots_parameters(&knots, parameters);
    return plan_function(to, POINT_curve, parameters, count, in, out);
}

const Filter filter_shadows = {
    .name = "shadows",
    .category = FILTER_POINT,
    .help = "Brightens dark parts, and leaves bright ones.",
    .definition = "As curves through 0 0, 20 20 + amount / 5, 60 60 + amount / 10, 100 100.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
