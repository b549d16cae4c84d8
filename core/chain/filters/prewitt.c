/* prewitt.c: the slope of the picture by masks of 1 1 1. */
#include "core/chain/filters/derivative.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    return derivative_plan(values, DERIVATIVE_SMOOTHED, 1, 1, to, in, out);
}

const Filter filter_prewitt = {
    .name = "prewitt",
    .category = FILTER_EDGES,
    .help = "Shows how steep the picture is by the means of three pixels.",
    .definition = "J. Prewitt, Object Enhancement and Extraction, 1970; as scipy.ndimage.prewitt.",
    .table = DERIVATIVE_TABLE,
    .plan = plan,
};
