/* structure.c: contrasts of the luma between a pixel and its surroundings. */
#include "core/chain/filters/structure.h"

#include "core/ops/blend.h"
#include "core/ops/convolve.h"
#include "core/ops/guided.h"

static const int none = PLAN_NONE;

/* The luma as f32, blurred. */
static Status luma(Plan *to, int in, double sigma, int *y) {
    Mask *mask;
    TRY(plan_single(to, POINT_grayscale, NULL, 0, (const int[STAGE_INPUTS]){in, none, none}, y));
    if (!(sigma > 0))
        return STATUS_OK;
    TRY(mask_gaussian(sigma, 0, &mask));
    return plan_append(to, &op_convolve, &(ConvolveJob){mask, plan_border(to, in), 0},
                       (const int[STAGE_INPUTS]){*y, none, none}, PIXEL_F32, y);
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    const Structure *s = context;
    const double white = plan_value_white(to, in), edge = s->edge * white;
    GuidedJob guided = {(int)s->radius, edge * edge, false, plan_border(to, in)};
    BlendJob blend = {.mode = BLEND_add, .ignore_alpha = true, .opacity = 1, .white = white, .scale = 1};
    int y, smooth;
    TRY(luma(to, in, s->fine, &y));
    TRY(plan_append(to, &op_guided, &guided, (const int[STAGE_INPUTS]){y, none, none}, PIXEL_F32, &smooth));
    TRY(plan_single(to, POINT_detail, &s->amount, 1, (const int[STAGE_INPUTS]){y, smooth, none}, &y));
    return plan_append(to, &op_blend, &blend, (const int[STAGE_INPUTS]){in, y, none}, type, out);
}

Status structure_plan(Plan *to, int in, Structure structure, int *out) {
    const PixelType type = plan_value_shape(to, in).type;
    *out = in;
    return fabs(structure.amount) > 0 ? plan_premultiplied(to, in, type, (PlanInner){append, &structure, 1, true}, out)
                                      : STATUS_OK;
}
