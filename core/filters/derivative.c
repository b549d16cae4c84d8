/* derivative.c: filters by pairs of small masks, as stages. */
#include "core/filters/derivative.h"

#include "core/ops/derivative.h"

const Param derivative_params[2] = {
    {"scale", "factor on x, y and magnitude", "", PARAM_NUMBER, offsetof(DerivativeValues, scale), 0.05, 1, 20, 0.05},
    {"output",
     "slope to the right, slope downwards (u8 and u16 show half of white where it is level), how steep it is, or "
     "where it rises to (clockwise from the right, one turn is white)",
     "x|y|magnitude|direction", PARAM_CHOICE, offsetof(DerivativeValues, output), 0, DERIVATIVE_MAGNITUDE, 3, 1},
};

Status derivative_plan(const DerivativeValues *values, DerivativeForm form, int side, int middle, Plan *to, int in,
                       int *out) {
    const Shape shape = plan_value_shape(to, in);
    const PlanOptions *options = plan_options(to);
    const DerivativeOutput output = (DerivativeOutput)values->output;
    const bool stored = plan_value_premultiplied(to, in); /* that is what is measured, but alpha stays */
    const bool is_signed = output == DERIVATIVE_X || output == DERIVATIVE_Y;
    DerivativeJob job = {
        .form = form,
        .output = output,
        .side = side,
        .middle = middle,
        .scale = values->scale,
        .bias = is_signed && shape.type != PIXEL_F32 ? (pixel_type_white(shape.type) + 1) / 2 : 0,
        .white = plan_value_white(to, in),
        .alpha = shape_has_alpha(shape) && options->alpha == ALPHA_PREMULTIPLY && !stored,
        .border = options->border,
    };
    TRY(plan_append(to, &op_derivative, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, shape.type, out));
    if (!stored || options->alpha == ALPHA_IGNORE)
        return STATUS_OK;
    TRY(plan_point(to, POINT_with_alpha, *out, in, shape.type, out));
    return output == DERIVATIVE_DIRECTION ? plan_point(to, POINT_light, *out, in, shape.type, out) : STATUS_OK;
}
