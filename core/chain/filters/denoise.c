/* denoise.c: a photograph without its noise, whose strength the picture itself tells. */
#include "core/chain/filters/filters.h"
#include "core/ops/blend.h"
#include "core/ops/convolve.h"
#include "core/ops/expose.h"
#include "core/ops/nlmeans.h"
#include "core/ops/reduce.h"

typedef struct Values {
    double strength, colour;
} Values;

static const Param params[] = {
    {"strength", "how much of the brightness counts as noise: 1, as much as the picture tells; 0, none",
     "times the noise", PARAM_NUMBER, offsetof(Values, strength), 0, 1, 4, 0.1},
    {"colour", "the same for colours", "times the noise", PARAM_NUMBER, offsetof(Values, colour), 0, 1, 4, 0.1},
};

enum { PATCH = 3, SEARCH = 10, BITS_OF_LOGARITHMS = 7 /* of all that f32 holds */ };

#define NOISE    0.03125            /* of white: the noise's standard deviation while it is removed */
#define LOG_MEAN 0.5298393546948382 /* exp(-(0.5772... + log 2) / 2): the log-average of |x| by a normal x */
#define NOTHING  2e-6               /* of white: a deviation that rounding makes */
static const int none = PLAN_NONE;
static const double root_half = 0.70710678118654752;

/* The log-average of what differs from pixel to pixel both ways, or one by it. */
static Status log_average(Plan *to, int deviations, double sign, int *out) {
    const double steps = exact_steps(plan_whole_shape(to, deviations), BITS_OF_LOGARITHMS);
    ReduceJob mean = {.what = REDUCE_SUM | REDUCE_COUNT, .exact = true};
    TRY(plan_function(to, POINT_noise_log, (const double[]){sign, steps, NOTHING}, 3, deviations, out));
    return plan_append(to, &op_reduce, &mean, (const int[STAGE_INPUTS]){*out, none, none}, PIXEL_U32, out);
}

/* White noise keeps its deviation: the squares of the weights sum to 1. */
static Status deviations(Plan *to, int in, int *out) {
    static const float weights[9] = {1, -2, 1, -2, 4, -2, 1, -2, 1};
    Mask *mask;
    TRY(mask_create(3, 3, &mask));
    for (int i = 0; i < 9; i++)
        mask->weights[i] = weights[i];
    mask->divisor = 6;
    return plan_append(to, &op_convolve, &(ConvolveJob){mask, plan_border(to, in), 0},
                       (const int[STAGE_INPUTS]){in, none, none}, PIXEL_F32, out);
}

/* Non-local means of `in`, f32, for the noise that `noisy`, of one channel, has. The values are scaled until it is
 * NOISE, and back. */
static Status smooth(Plan *to, int in, int noisy, double strength, int *out) {
    const double white = plan_value_white(to, in);
    NlmeansJob means = {PATCH, SEARCH, strength * NOISE * white, plan_border(to, in)};
    ExposeJob there = {NOISE * LOG_MEAN}, back = {1 / (NOISE * LOG_MEAN)};
    int average, inverse, value;
    *out = in;
    if (!(strength > 0))
        return STATUS_OK;
    TRY(deviations(to, noisy, &value));
    TRY(log_average(to, value, 1, &average));
    TRY(log_average(to, value, -1, &inverse));
    TRY(plan_append(to, &op_expose, &there, (const int[STAGE_INPUTS]){average, in, none}, PIXEL_F32, &value));
    plan_set_white(to, value, white);
    TRY(plan_append(to, &op_nlmeans, &means, (const int[STAGE_INPUTS]){value, none, none}, PIXEL_F32, &value));
    TRY(plan_append(to, &op_expose, &back, (const int[STAGE_INPUTS]){inverse, value, none}, PIXEL_F32, out));
    plan_set_white(to, *out, white);
    return STATUS_OK;
}

/* The colours less their luma, and red less blue, which has the noise of one channel. */
static Status append_colours(Plan *to, int in, double strength, int *out) {
    static const double less_luma[12] = {0.7874,  -0.7152, -0.0722, 0,       -0.2126, 0.2848,
                                         -0.0722, 0,       -0.2126, -0.7152, 0.9278};
    const double apart[12] = {root_half, 0, -root_half};
    const int one[STAGE_INPUTS] = {in, none, none};
    int value, noisy;
    TRY(plan_point_with(to, POINT_matrix, less_luma, 12, one, PIXEL_F32, &value));
    TRY(plan_single(to, POINT_matrix, apart, 12, one, &noisy));
    return smooth(to, value, noisy, strength, out);
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    const Values *v = context;
    const Shape shape = plan_value_shape(to, in);
    BlendJob blend = {
        .mode = BLEND_add, .ignore_alpha = true, .opacity = 1, .white = plan_value_white(to, in), .scale = 1};
    int luma, value;
    TRY(plan_single(to, POINT_grayscale, NULL, 0, (const int[STAGE_INPUTS]){in, none, none}, &luma));
    TRY(smooth(to, luma, luma, v->strength, &luma));
    if (shape_colours(shape) == 3)
        TRY(append_colours(to, in, v->colour, &value));
    else
        TRY(plan_point_with(to, POINT_linear, (const double[]){0, 0}, 2, (const int[STAGE_INPUTS]){in, none, none},
                            PIXEL_F32, &value));
    TRY(plan_append(to, &op_blend, &blend, (const int[STAGE_INPUTS]){value, luma, none}, PIXEL_F32, &value));
    return plan_point(to, POINT_with_alpha, value, in, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    Values v = *(const Values *)values;
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &v, 1, true}, out);
}

const Filter filter_denoise = {
    .name = "denoise",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Removes the noise of a photograph, from its brightness and its colours apart, as much as it finds.",
    .definition =
        "A. Buades, B. Coll and J.-M. Morel, A Non-Local Algorithm for Image Denoising, 2005, of the luma and of the "
        "colours less it, h being the strength times the noise. The noise is that of J. Immerkær, Fast Noise Variance "
        "Estimation, 1996, by the log-average of |x|, which edges sway less than the mean; of colours, that of red "
        "less "
        "blue.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
