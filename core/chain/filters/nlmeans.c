/* nlmeans.c: non-local means. */
#include "core/ops/nlmeans.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    double h, patch, search;
} Values;

static const Param params[] = {
    {"h", "the strength: about the standard deviation of the noise", "of white", PARAM_NUMBER, offsetof(Values, h),
     0.001, 0.05, 2, 0.005},
    {"patch", "half the side of the patches that are compared", "pixels", PARAM_WHOLE, offsetof(Values, patch), 1, 3,
     NLMEANS_PATCH_MAX, 1},
    {"search", "how far away they may be", "pixels", PARAM_WHOLE, offsetof(Values, search), 1, 10, NLMEANS_SEARCH_MAX,
     1},
};

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_nlmeans, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    NlmeansJob job = {(int)v->patch, (int)v->search, v->h * plan_value_white(to, in), plan_border(to, in)};
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &job, 1, true}, out);
}

const Filter filter_nlmeans = {
    .name = "nlmeans",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Removes noise by the mean of places in the picture that look alike.",
    .definition =
        "A. Buades, B. Coll and J.-M. Morel, A Non-Local Algorithm for Image Denoising, 2005, with patches of "
        "equal weights; of colours times alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0.02",
};
