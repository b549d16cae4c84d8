/* grayscale.c: luma in every channel. */
#include "core/chain/filters/filters.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    (void)values;
    return plan_point(to, POINT_grayscale, in, PLAN_NONE, plan_value_shape(to, in).type, out);
}

const Filter filter_grayscale = {
    .name = "grayscale",
    .category = FILTER_POINT,
    .help = "Takes the colour away (Rec. 709 luma); alpha and channels stay.",
    .definition = "ITU-R BT.709: 0.2126 R + 0.7152 G + 0.0722 B, of the values as stored.",
    .plan = plan,
};
