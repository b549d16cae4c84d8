/* lower.c: alpha, linear light and masks as stages. */
#include "core/plan/lower.h"

#include "core/ops/convolve.h"
#include "core/plan/plan_internal.h"

#include <float.h>
#include <math.h>

/* Straight colours. */
static Status read_values(Plan *plan, int stored, int *value) {
    *value = stored;
    return plan->values[stored].premultiplied ? plan_point(plan, POINT_straight, stored, PLAN_NONE, PIXEL_F32, value)
                                              : STATUS_OK;
}

/* Reads a value as light. */
static Status read_light(Plan *plan, int stored, int *value) {
    *value = stored;
    return plan->options.linear ? plan_decode(plan, stored, value) : STATUS_OK;
}

Status plan_data(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(plan_offered(plan, path, false, &source));
    return read_values(plan, plan->sources[source].value, value);
}

Status plan_image(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(plan_offered(plan, path, false, &source));
    return read_light(plan, plan->sources[source].value, value);
}

Status plan_picture(Plan *plan, int *value) {
    return plan->unfiltered != PLAN_NONE ? read_light(plan, plan->unfiltered, value)
                                         : fail(STATUS_USAGE, "%s: there is no picture before the chain", plan->label);
}

/* Sums are f32: no picture from black to white, of whatever type, nor the border may drive them out of its range. */
static Status check_range(const Plan *plan, int in, const Mask *mask) {
    const double white = pixel_type_white(PIXEL_U16), outside = fabs((double)plan_border(plan, in).value);
    const double divisor = fabs((double)mask->divisor), sum = mask_absolute_sum(mask) * fmax(divisor, 1);
    const double max = sum * fmax(white, outside);
    return max <= (double)FLT_MAX
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "%s: weights and border come to sums of up to %g; want less than %g, the range of f32",
                      plan->label, max, (double)FLT_MAX);
}

/* ---- alpha ---- */

#define WEIGHTS_OFF 1e-5 /* what weights that sum to 1 may differ from it, as they are f32 */
#define OPAQUE_MAX  4096 /* times white: alpha is exact to a 4096th with a border that is as bright */

static bool has_alpha(const Plan *plan, int value) {
    return shape_has_alpha(plan->values[value].shape);
}

/* Whether colours count by their alpha. */
static bool is_weighed(const Plan *plan, int value) {
    return has_alpha(plan, value) && plan->options.alpha == ALPHA_PREMULTIPLY;
}

Border plan_border(const Plan *plan, int in) {
    Border border = plan->options.border;
    border.value = (float)plan_stored(plan, in, (double)border.value);
    return border;
}

/* How much more alpha has to be so that it sees its own value beyond the edge, where operations see that of colours. */
static Status alpha_beyond(const Plan *plan, int in, double *more) {
    const double white = plan->values[in].white, value = (double)plan->options.border.value;
    *more = 0;
    if (!has_alpha(plan, in) || plan->options.border.mode != BORDER_CONSTANT)
        return STATUS_OK;
    *more = (double)plan_border(plan, in).value - (is_weighed(plan, in) ? white : value);
    return fabs(*more) <= OPAQUE_MAX * white
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: a border of %g next to alpha; want at most %d times full intensity, %g",
                      plan->label, value, OPAQUE_MAX, white);
}

static Status more_alpha(Plan *plan, int in, double more, PixelType type, int *out) {
    return plan_point_with(plan, POINT_more_alpha, &more, 1, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type,
                           out);
}

static Status see(Plan *plan, int in, double more, int *out) {
    *out = in;
    if (is_weighed(plan, in) && !plan->values[in].premultiplied)
        TRY(plan_point(plan, POINT_premultiply, in, PLAN_NONE, PIXEL_F32, out));
    return fabs(more) > 0 ? more_alpha(plan, *out, more, PIXEL_F32, out) : STATUS_OK;
}

Status plan_seen(Plan *plan, int in, int *out) {
    double more;
    TRY(alpha_beyond(plan, in, &more));
    return see(plan, in, more, out);
}

Status plan_premultiplied(Plan *plan, int in, PixelType type, PlanInner inner, int *out) {
    const bool weighed = is_weighed(plan, in), mixes = fabs(inner.flat - 1) < WEIGHTS_OFF;
    double more = 0;
    int value;
    if (inner.beyond && (mixes || !weighed))
        TRY(alpha_beyond(plan, in, &more));
    const bool moved = fabs(more) > 0, multiplied = weighed && !plan->values[in].premultiplied;
    TRY(see(plan, in, more, &value));
    TRY(inner.append(plan, value, multiplied || moved ? PIXEL_F32 : type, inner.context, &value));
    if (moved)
        TRY(more_alpha(plan, value, -more * inner.flat, multiplied ? PIXEL_F32 : type, &value));
    *out = value;
    if (!multiplied)
        return weighed && !mixes ? plan_point(plan, POINT_with_alpha, value, in, type, out) : STATUS_OK;
    return mixes ? plan_point(plan, POINT_unpremultiply, value, PLAN_NONE, type, out)
                 : plan_point(plan, POINT_unpremultiply_by, value, in, type, out);
}

Status plan_straight(Plan *plan, int in, PlanAppend inner, void *context, int *out) {
    const PixelType type = plan->values[in].shape.type;
    if (!plan->values[in].premultiplied)
        return inner(plan, in, type, context, out);
    int value;
    TRY(plan_point(plan, POINT_straight, in, PLAN_NONE, type, &value));
    TRY(inner(plan, value, type, context, out));
    return plan_like(plan, in, out);
}

Status plan_alike(Plan *plan, int in, int *value) {
    const bool premultiplied = plan->values[in].premultiplied;
    if (premultiplied == plan->values[*value].premultiplied || !has_alpha(plan, *value))
        return STATUS_OK;
    return plan_point(plan, premultiplied ? POINT_premultiply : POINT_straight, *value, PLAN_NONE, PIXEL_F32, value);
}

Status plan_like(Plan *plan, int in, int *value) {
    const Value *from = &plan->values[in], *made = &plan->values[*value];
    return from->premultiplied && !made->premultiplied && shape_equal(from->shape, made->shape)
               ? plan_point(plan, POINT_light, *value, in, from->shape.type, value)
               : STATUS_OK;
}

Status plan_premultiplied_exactly(Plan *plan, int in, PixelType type, PlanInner inner, int *out) {
    int value;
    if (!is_weighed(plan, in) || plan->values[in].shape.type != PIXEL_U8 ||
        plan->options.border.mode == BORDER_CONSTANT) /* its alpha would be negative */
        return plan_premultiplied(plan, in, type, inner, out);
    TRY(plan_point(plan, POINT_times_alpha, in, PLAN_NONE, PIXEL_U16, &value));
    TRY(inner.append(plan, value, PIXEL_U16, inner.context, &value));
    return plan_point(plan, POINT_by_alpha, value, PLAN_NONE, type, out);
}

/* ---- convolutions ---- */

/* All channels alike. The context is a ConvolveJob, whose mask is taken over. */
static Status convolve_channels(Plan *plan, int in, PixelType type, void *context, int *out) {
    ConvolveJob job = *(ConvolveJob *)context;
    ((ConvolveJob *)context)->mask = NULL;
    return plan_append(plan, &op_convolve, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

bool plan_bias_apart(const Plan *plan, int in) {
    return is_weighed(plan, in) || (has_alpha(plan, in) && plan->options.linear);
}

static Status append_bias(Plan *plan, int in, PixelType type, void *context, int *out) {
    const double bias = *(const double *)context;
    const double parameters[] = {1, plan_stored(plan, in, bias) / plan->values[in].white};
    const bool alike = !is_weighed(plan, in);
    TRY(plan_point_with(plan, POINT_linear, parameters, 2, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                        alike ? PIXEL_F32 : type, out));
    return alike ? more_alpha(plan, *out, bias, type, out) : STATUS_OK;
}

Status plan_bias(Plan *plan, int in, double bias, PixelType type, int *out) {
    return is_weighed(plan, in) && plan->values[in].premultiplied ? plan_straight(plan, in, append_bias, &bias, out)
                                                                  : append_bias(plan, in, type, &bias, out);
}

Status plan_convolve(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out) {
    mask_make_whole(mask);
    const bool apart = fpclassify(bias) != FP_ZERO && plan_bias_apart(plan, in);
    ConvolveJob job = {mask, plan_border(plan, in), apart ? 0 : (float)plan_stored(plan, in, (double)bias)};
    int value;
    Status status = check_range(plan, in, mask);
    if (status == STATUS_OK)
        status = plan_premultiplied(plan, in, apart ? PIXEL_F32 : type,
                                    (PlanInner){convolve_channels, &job, mask_sum(mask), true}, apart ? &value : out);
    op_job_free(&op_convolve, &job);
    return status == STATUS_OK && apart ? plan_bias(plan, value, (double)bias, type, out) : status;
}

Status plan_point_with(Plan *plan, PointFunction function, const double *parameters, int count,
                       const int in[STAGE_INPUTS], PixelType type, int *out) {
    PointJob job = point_single(function, plan->values[in[0]].white, parameters, count, type);
    for (int k = 1; k < STAGE_INPUTS && k < points[function].inputs; k++)
        if (in[k] != PLAN_NONE)
            job.steps[0].scale[k] = plan->values[in[0]].white / plan->values[in[k]].white;
    TRY(plan_append(plan, &op_point, &job, in, type, out));
    if (function == POINT_straight || function == POINT_light)
        plan_set_premultiplied(plan, *out, function == POINT_light);
    return STATUS_OK;
}

Status plan_point(Plan *plan, PointFunction function, int in, int in2, PixelType type, int *out) {
    return plan_point_with(plan, function, NULL, 0, (const int[STAGE_INPUTS]){in, in2, PLAN_NONE}, type, out);
}

/* The picture's curve to light, or `back`, as a point function of values whose white is `white`. */
static PointJob tone_point(const Plan *plan, bool back, double white, PixelType type) {
    const ToneCurve *tone = &plan->options.tone;
    double parameters[KNOT_PARAMETERS];
    Knots knots;
    if (tone->gamma > 0) {
        parameters[0] = back ? 1 / tone->gamma : tone->gamma;
        return point_single(POINT_power, white, parameters, 1, type);
    }
    if (tone->count == 0)
        return point_single(back ? POINT_from_linear : POINT_to_linear, white, NULL, 0, type);
    tone_knots(tone, back, &knots);
    return point_single(POINT_curve, white, parameters, knots_parameters(&knots, parameters), type);
}

/* The context says whether light becomes values. */
static Status append_tone(Plan *plan, int in, PixelType type, void *context, int *out) {
    PointJob job = tone_point(plan, *(const bool *)context, plan->values[in].white, type);
    return plan_append(plan, &op_point, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

double plan_stored(const Plan *plan, int in, double stored) {
    const PointJob job = tone_point(plan, false, plan->values[in].white, PIXEL_F32);
    const PointPixel none = {0};
    if (plan->options.linear)
        point_step(&job, 0, &none, 1, &stored);
    return stored;
}

static Status plan_tone(Plan *plan, bool back, int in, PixelType type, int *out) {
    return plan->values[in].premultiplied ? plan_straight(plan, in, append_tone, &back, out)
                                          : append_tone(plan, in, type, &back, out);
}

Status plan_decode(Plan *plan, int in, int *out) {
    return plan_tone(plan, false, in, PIXEL_F32, out);
}

Status plan_encode(Plan *plan, int in, PixelType type, int *out) {
    return plan_tone(plan, true, in, type, out);
}
