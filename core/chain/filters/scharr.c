/* scharr.c: the slope of the picture by masks of 3 10 3. */
#include "core/chain/filters/derivative.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    return derivative_plan(values, DERIVATIVE_SMOOTHED, 3, 10, to, in, out);
}

const Filter filter_scharr = {
    .name = "scharr",
    .category = FILTER_EDGES,
    .help = "Shows how steep the picture is, alike in all directions.",
    .definition = "H. Scharr, Optimale Operatoren in der digitalen Bildverarbeitung, 2000; as cv2.Scharr.",
    .table = DERIVATIVE_TABLE,
    .plan = plan,
};
