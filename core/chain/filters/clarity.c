/* clarity.c: the contrast of whole shapes against their surroundings. */
#include "core/chain/filters/structure.h"
#include "core/ops/guided.h"

typedef struct Values {
    double amount, radius, edge;
} Values;

static const Param params[] = {
    {"amount", "how much stronger local contrast becomes in the midtones; below 0 weaker", "percent", PARAM_NUMBER,
     offsetof(Values, amount), -100, 50, 200, 5},
    {"radius", "how far the surroundings reach", "pixels", PARAM_WHOLE, offsetof(Values, radius), 1, 32,
     GUIDED_RADIUS_MAX, 1},
    {"edge", "standard deviation within the surroundings that counts as an edge, which stays as it is", "of white",
     PARAM_NUMBER, offsetof(Values, edge), 0.001, 0.2, 2, 0.01},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return structure_plan(to, in, (Structure){v->amount / 100, 0, v->radius, v->edge}, out);
}

const Filter filter_clarity = {
    .name = "clarity",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Raises the contrast of shapes against their surroundings, most of all in the midtones, without halos.",
    .definition = "Each colour plus 4 amount q (1 - q) (y - q), white being 1. The luma is y, its guided filter by "
                  "itself q (K. He, J. Sun and X. Tang, Guided Image Filtering, 2010, as their detail enhancement). "
                  "Where there is alpha, all is of colours times it.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
