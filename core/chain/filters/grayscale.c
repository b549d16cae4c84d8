/* grayscale.c: luma in every channel. */
#include "core/chain/filters/filters.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const double luma[12] = {0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0, 0.2126, 0.7152, 0.0722, 0};
    (void)values;
    return plan_matrix(to, luma, in, out);
}

const Filter filter_grayscale = {
    .name = "grayscale",
    .category = FILTER_POINT,
    .help = "Takes the colour away (Rec. 709 luma); alpha and channels stay.",
    .definition = "ITU-R BT.709: 0.2126 R + 0.7152 G + 0.0722 B, of the values as stored.",
    .plan = plan,
};
