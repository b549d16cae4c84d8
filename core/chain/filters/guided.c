/* guided.c: the picture as a linear function of a guide, from place to place. */
#include "core/ops/guided.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    double radius, edge;
    char *guide;
} Values;

static const Param params[] = {
    {"radius", "half the side of the windows", "pixels", PARAM_WHOLE, offsetof(Values, radius), 1, 8, GUIDED_RADIUS_MAX,
     1},
    {"edge", "standard deviation within a window that counts as an edge: the root of the paper's epsilon", "of white",
     PARAM_NUMBER, offsetof(Values, edge), 0.001, 0.1, 2, 0.01},
    {"guide",
     "an image of the same size whose edges are kept, with as many channels or one; without it, the picture "
     "itself",
     PARAM_LIGHT, PARAM_IMAGE, offsetof(Values, guide), 0, 0, 0, 0},
};

typedef struct Context {
    GuidedJob job;
    int guide;
} Context;

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    Context *with = context;
    return plan_append(to, &op_guided, &with->job, (const int[STAGE_INPUTS]){in, with->guide, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    int guide = PLAN_NONE;
    if (v->guide) {
        TRY(plan_input(to, &filter_guided, "guide", values, &guide));
        TRY(plan_seen(to, guide, &guide));
    }
    const double edge = v->edge * plan_value_white(to, v->guide ? guide : in);
    Context context = {{(int)v->radius, edge * edge, v->guide != NULL, plan_border(to, in)}, guide};
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &context, 1, true}, out);
}

const Filter filter_guided = {
    .name = "guided",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Smooths the picture as a linear function of a guide, so that it keeps the guide's edges without halos.",
    .definition = "K. He, J. Sun and X. Tang, Guided Image Filtering, 2010, each channel by itself, of colours times "
                  "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
