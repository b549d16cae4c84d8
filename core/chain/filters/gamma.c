/* gamma.c: a power of every value. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double gamma;
} Values;

static const Param params[] = {
    {"gamma", "the exponent is 1 / gamma: above 1 the picture becomes brighter", "", PARAM_NUMBER,
     offsetof(Values, gamma), 0.05, 1.5, 20, 0.05},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_function(to, POINT_power, (const double[]){1 / ((const Values *)values)->gamma}, 1, in, out);
}

const Filter filter_gamma = {
    .name = "gamma",
    .category = FILTER_POINT,
    .help = "Brightens or darkens the middle tones; black and white stay.",
    .definition = "As ImageMagick's -gamma; skimage.exposure.adjust_gamma takes the reciprocal.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "1",
};
