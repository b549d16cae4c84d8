/* vibrance.c: dull colours against grey, more than those that are strong already. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "how much stronger dull colours become; below 0 weaker", "percent", PARAM_NUMBER,
     offsetof(Values, amount), -100, 50, 100, 5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const char formula[] = "m = max(r, g, b); s = m > 0 ? clamp(1 - min(r, g, b) / m, 0, 1) : 0;"
                                  "v + (v - luma) * amount * (1 - s)";
    const FormulaName names[] = {{"amount", ((const Values *)values)->amount / 100}};
    *out = in;
    return shape_colours(plan_value_shape(to, in)) < 3
               ? STATUS_OK /* gray has no colour */
               : plan_formula(to, formula, names, 1, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, out);
}

const Filter filter_vibrance = {
    .name = "vibrance",
    .category = FILTER_POINT,
    .help = "Makes dull colours stronger, and leaves strong ones and greys.",
    .definition = "The colour's distance from its Rec. 709 luma times 1 + amount (1 - S); S = 1 - min / max is the "
                  "saturation of A. R. Smith, Color Gamut Transform Pairs, 1978.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
