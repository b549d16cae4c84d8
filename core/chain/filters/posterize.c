/* posterize.c: few values. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double levels;
} Values;

static const Param params[] = {
    {"levels", "how many values each channel has", "values", PARAM_WHOLE, offsetof(Values, levels), 2, 4, 256, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_function(to, POINT_posterize, (const double[]){((const Values *)values)->levels - 1}, 1, in, out);
}

const Filter filter_posterize = {
    .name = "posterize",
    .category = FILTER_POINT,
    .help = "Reduces each channel to a few values, evenly spaced.",
    .definition = "As ImageMagick's -posterize: the nearest of the values, halves upwards.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
