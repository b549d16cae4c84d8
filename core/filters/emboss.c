/* emboss.c: a relief, lit from one side. */
#include "core/filters/filters.h"

typedef struct Values {
    double depth;
} Values;

static const Param params[] = {
    {"depth", "height of the relief", "", PARAM_NUMBER, offsetof(Values, depth), 0, 1, 10, 0.1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const float d = (float)((const Values *)values)->depth;
    const float weights[9] = {-2 * d, -d, 0, -d, 1, d, 0, d, 2 * d};
    return plan_convolve_3x3(to, in, weights, 1, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_emboss = {
    .name = "emboss",
    .category = FILTER_LINEAR,
    .help = "Makes the picture a relief, lit from the bottom right.",
    .definition = "A directional derivative along the diagonal, added to the picture.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
