/* invert.c: the negative. */
#include "core/filters/filters.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    (void)values;
    return plan_point(to, POINT_invert, in, PLAN_NONE, plan_value_shape(to, in).type, out);
}

const Filter filter_invert = {"invert", "Makes the negative; alpha stays.", {NULL, 0, 0}, plan, NULL};
