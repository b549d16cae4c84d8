/* sharpen.c: the picture minus its Laplacian. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "how much of the Laplacian is taken away", "", PARAM_NUMBER, offsetof(Values, amount), 0, 1, 10, 0.1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const float a = (float)((const Values *)values)->amount;
    const float weights[9] = {0, -a, 0, -a, 1 + 4 * a, -a, 0, -a, 0};
    return plan_convolve_3x3(to, in, weights, 1, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_sharpen = {
    .name = "sharpen",
    .category = FILTER_LINEAR,
    .help = "Raises the contrast between neighbours.",
    .definition = "R. Gonzalez and R. Woods, Digital Image Processing, section 3.6: the picture minus its Laplacian.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
