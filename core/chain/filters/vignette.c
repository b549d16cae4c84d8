/* vignette.c: corners darker than the middle, or as bright again. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount, start;
} Values;

static const Param params[] = {
    {"amount", "how much darker the corners become; below 0 as bright again as before such a darkening", "percent",
     PARAM_NUMBER, offsetof(Values, amount), -90, 40, 100, 5},
    {"start", "how far the middle reaches that stays as it is", "percent of the way to the corners", PARAM_NUMBER,
     offsetof(Values, start), 0, 30, 95, 5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const char darker[] = "across = (2 * x + 1) / w - 1; down = (2 * y + 1) / h - 1;"
                                 "t = max(((across * across + down * down) / 2 - s) / (1 - s), 0);"
                                 "k = 1 - amount * t * t * (3 - 2 * t); brightens ? v / k : v * k";
    const Values *v = values;
    const double start = v->start / 100;
    const FormulaName names[] = {
        {"amount", fabs(v->amount) / 100}, {"s", start * start}, {"brightens", v->amount < 0 ? 1 : 0}};
    return plan_formula(to, darker, names, 3, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, out);
}

const Filter filter_vignette = {
    .name = "vignette",
    .category = FILTER_POINT,
    .help = "Darkens the corners, as old lenses do, or takes such a darkening away.",
    .definition =
        "The value times 1 - amount (3 t^2 - 2 t^3), with t = (r^2 - start^2) / (1 - start^2), at least 0. The "
        "distance from the middle is r, 1 in the corners, on sides of equal length. With an amount below 0, the value "
        "divided by 1 + amount (3 t^2 - 2 t^3).",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
