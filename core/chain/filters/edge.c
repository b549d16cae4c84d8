/* edge.c: each pixel against its eight neighbours. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double scale;
} Values;

static const Param params[] = {
    {"scale", "factor on the result", "", PARAM_NUMBER, offsetof(Values, scale), 0.05, 1, 20, 0.05},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const float weights[9] = {-1, -1, -1, -1, 8, -1, -1, -1, -1};
    return plan_convolve_3x3(to, in, weights, 1 / ((const Values *)values)->scale, 0, plan_value_shape(to, in).type,
                             out);
}

const Filter filter_edge = {
    .name = "edge",
    .category = FILTER_EDGES,
    .help = "Leaves the edges: each pixel against its eight neighbours.",
    .definition = "The nine-point stencil with equal weights, negated: 8 in the middle, -1 around.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
