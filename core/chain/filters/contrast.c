/* contrast.c: distances from mid grey, stretched. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double factor;
} Values;

static const Param params[] = {
    {"factor", "factor on distances from mid grey; 1 changes nothing", "", PARAM_NUMBER, offsetof(Values, factor), 0,
     1.25, 20, 0.05},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const double factor = ((const Values *)values)->factor;
    return plan_function(to, POINT_linear, (const double[]){factor, 0.5 - 0.5 * factor}, 2, in, out);
}

const Filter filter_contrast = {
    .name = "contrast",
    .category = FILTER_POINT,
    .help = "Moves values away from mid grey, or towards it.",
    .definition = "W3C, Filter Effects Module Level 1, contrast(): slope k, intercept 0.5 - 0.5 k.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "1",
};
