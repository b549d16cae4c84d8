/* grayscale.c: luma in every channel. */
#include "core/filters/filters.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    (void)values;
    return plan_point(to, POINT_grayscale, in, PLAN_NONE, plan_value_shape(to, in).type, out);
}

const Filter filter_grayscale = {
    "grayscale", "Takes the colour away (Rec. 709 luma); alpha and channels stay.", {NULL, 0, 0}, plan, NULL};
