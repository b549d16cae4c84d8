/* texture.c: the contrast of details that are neither shapes nor noise. */
#include "core/chain/filters/structure.h"
#include "core/ops/guided.h"

typedef struct Values {
    double amount, radius, fine, edge;
} Values;

static const Param params[] = {
    {"amount", "how much stronger the details become; below 0 weaker, as for skin", "percent", PARAM_NUMBER,
     offsetof(Values, amount), -100, 50, 200, 5},
    {"radius", "the size of the largest details", "pixels", PARAM_WHOLE, offsetof(Values, radius), 1, 8,
     GUIDED_RADIUS_MAX, 1},
    {"fine", "sigma of the Gaussian whose size details exceed, so that noise stays as it is", "pixels", PARAM_NUMBER,
     offsetof(Values, fine), 0, 1, 9, 0.1},
    {"edge", "standard deviation among details that counts as an edge, which stays as it is", "of white", PARAM_NUMBER,
     offsetof(Values, edge), 0.001, 0.1, 2, 0.01},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return structure_plan(to, in, (Structure){v->amount / 100, v->fine, v->radius, v->edge}, out);
}

const Filter filter_texture = {
    .name = "texture",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Raises the contrast of details of a middling size; with an amount below 0, smooths them, as on skin.",
    .definition = "Each colour plus 4 amount q (1 - q) (y - q), white being 1. The luma after a Gaussian is y, its "
                  "guided filter by itself q (K. He, J. Sun and X. Tang, Guided Image Filtering, 2010). Where there is "
                  "alpha, all is of colours times it.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
