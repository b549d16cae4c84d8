/* sobel.c: the slope of the picture by masks of 1 2 1. */
#include "core/chain/filters/derivative.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    return derivative_plan(values, DERIVATIVE_SMOOTHED, 1, 2, to, in, out);
}

const Filter filter_sobel = {
    .name = "sobel",
    .category = FILTER_EDGES,
    .help = "Shows how steep the picture is at each pixel, smoothed a little.",
    .definition =
        "I. Sobel and G. Feldman, 1968, in R. Duda and P. Hart, Pattern Classification and Scene Analysis, 1973.",
    .table = DERIVATIVE_TABLE,
    .plan = plan,
};
