/* roberts.c: the slope of the picture along both diagonals of 2 x 2 pixels. */
#include "core/chain/filters/derivative.h"

static Status plan(const void *values, Plan *to, int in, int *out) {
    return derivative_plan(values, DERIVATIVE_DIAGONAL, 0, 0, to, in, out);
}

const Filter filter_roberts = {
    .name = "roberts",
    .category = FILTER_EDGES,
    .help = "Shows how steep the picture is across 2 x 2 pixels, along the diagonals.",
    .definition = "L. Roberts, Machine Perception of Three-Dimensional Solids, 1963. Here x is the slope to the lower "
                  "right, y the slope to the lower left, and directions count clockwise from the lower right.",
    .table = DERIVATIVE_TABLE,
    .plan = plan,
};
