/* bilateral.c: smooths within surfaces and leaves their edges; joint takes the edges of another picture. */
#include "core/chain/filters/bilateral.h"

#include "core/ops/bilateral.h"

typedef struct Context {
    BilateralJob job;
    int guide;
} Context;

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    Context *with = context;
    return plan_append(to, &op_bilateral, &with->job, (const int[STAGE_INPUTS]){in, with->guide, PLAN_NONE}, type, out);
}

Status bilateral_plan(const BilateralValues *values, Plan *to, int in, int guide, int *out) {
    const bool joint = guide != PLAN_NONE;
    Context context = {
        .job = {.radius = (int)values->diameter / 2,
                .space = values->space > 0 ? values->space : values->diameter / 3,
                .range = values->range * plan_value_white(to, joint ? guide : in),
                .joint = joint,
                .border = plan_border(to, in)},
        .guide = guide,
    };
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &context, 1, true}, out);
}

static const Param params[] = {BILATERAL_PARAMS};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return bilateral_plan(values, to, in, PLAN_NONE, out);
}

const Filter filter_bilateral = {
    .name = "bilateral",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Smooths surfaces and keeps their edges: each pixel becomes the mean of neighbours that look alike.",
    .definition = "C. Tomasi and R. Manduchi, Bilateral Filtering for Gray and Color Images, 1998; as "
                  "cv2.bilateralFilter, of colours times alpha where there is some.",
    .table = PARAM_TABLE(params, BilateralValues),
    .plan = plan,
};
