/* invert.c: the negative. */
#include "core/chain/filters/filters.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    (void)values;
    return plan_point(to, POINT_invert, in, PLAN_NONE, plan_value_shape(to, in).type, out);
}

const Filter filter_invert = {
    .name = "invert",
    .category = FILTER_POINT,
    .help = "Makes the negative; alpha stays.",
    .definition = "White minus the value.",
    .plan = plan,
};
