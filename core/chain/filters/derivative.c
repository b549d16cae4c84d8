/* derivative.c: filters by pairs of small masks, as stages. */
#include "core/chain/filters/derivative.h"

#include "core/ops/derivative.h"

const Param derivative_params[2] = {
    {"scale", "factor on x, y and magnitude", "", PARAM_NUMBER, offsetof(DerivativeValues, scale), 0.05, 1, 20, 0.05},
    {"output",
     "slope to the right, slope downwards, the steepness, or the direction of the rise. Slopes of u8 and u16 show half "
     "of white on level ground. The direction goes clockwise from the right; one turn is white",
     "x|y|magnitude|direction", PARAM_CHOICE, offsetof(DerivativeValues, output), 0, DERIVATIVE_MAGNITUDE, 3, 1},
};

/* All channels alike, or colours times alpha by themselves. The context is a DerivativeJob. */
static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_derivative, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

Status derivative_plan(const DerivativeValues *values, DerivativeForm form, int side, int middle, Plan *to, int in,
                       int *out) {
    const Shape shape = plan_value_shape(to, in);
    const DerivativeOutput output = (DerivativeOutput)values->output;
    const bool stored = plan_value_premultiplied(to, in); /* the slopes are of premultiplied values, but alpha stays */
    const bool weighed = shape_has_alpha(shape) && plan_options(to)->alpha == ALPHA_PREMULTIPLY;
    const bool is_signed = output == DERIVATIVE_X || output == DERIVATIVE_Y;
    const double white = plan_value_white(to, in);
    const double level = is_signed && white > 1 ? (white + 1) / 2 : 0; /* f32 holds negative values */
    DerivativeJob job = {
        .form = form,
        .output = output,
        .side = side,
        .middle = middle,
        .scale = values->scale,
        .bias = plan_stored(to, in, level),
        .white = white,
        .alpha = weighed && !stored,
        .border = plan_border(to, in),
    };
    const bool apart = !job.alpha && level > 0 && plan_bias_apart(to, in);
    job.bias = apart ? 0 : job.bias;
    TRY(job.alpha ? append(to, in, shape.type, &job, out)
                  : plan_premultiplied(to, in, shape.type, (PlanInner){append, &job, 0, true}, out));
    if (output == DERIVATIVE_DIRECTION && stored && weighed)
        TRY(plan_point(to, POINT_light, *out, in, shape.type, out));
    if (output == DERIVATIVE_DIRECTION && plan_options(to)->linear)
        return plan_decode(to, *out, out); /* a direction is no light: it is stored as it is */
    return apart ? plan_bias(to, *out, level, shape.type, out) : STATUS_OK;
}
