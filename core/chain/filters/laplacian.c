/* laplacian.c: the second derivative, four neighbours. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double scale, bias;
} Values;

static const Param params[] = {
    PARAM_SIGNED(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const float weights[9] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
    const Values *v = values;
    return plan_convolve_3x3(to, in, weights, 1 / v->scale, v->bias, plan_value_shape(to, in).type, out);
}

const Filter filter_laplacian = {
    .name = "laplacian",
    .category = FILTER_EDGES,
    .help = "Shows where brightness bends: the second derivative.",
    .definition = "The five-point stencil of the second derivative, as scipy.ndimage.laplace.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
