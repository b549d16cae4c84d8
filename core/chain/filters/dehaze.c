/* dehaze.c: the light of things without that of the haze before them. */
#include "core/chain/filters/window.h"

#include "core/ops/blend.h"
#include "core/ops/guided.h"
#include "core/ops/morphology.h"
#include "core/ops/reduce.h"

typedef struct Values {
    double strength, radius, refine, share;
} Values;

static const Param params[] = {
    {"strength", "share of the haze that is taken away", "percent", PARAM_NUMBER, offsetof(Values, strength), 0, 95,
     100, 5},
    {"radius", "half the side of the squares that hold something dark, were there no haze", "pixels", PARAM_WHOLE,
     offsetof(Values, radius), 1, 7, 127, 1},
    {"refine", "half the side of the windows in which the haze follows the picture", "pixels", PARAM_WHOLE,
     offsetof(Values, refine), 1, 30, GUIDED_RADIUS_MAX, 1},
    {"share", "share of the picture, the haziest, whose brightest values are the colour of haze", "%", PARAM_NUMBER,
     offsetof(Values, share), 0, 0.1, 50, 0.1},
};

#define PASSES_MIN 0.1      /* the paper's t0 */
#define EPSILON    1e-3     /* of the guided filter, of squared white, as in the paper's successor */
#define BRIGHTEST  0.999995 /* of white: less than a step below it in 16 bits */
static const int none = PLAN_NONE;

/* The smallest value of all colours in the square around each pixel, as f32. */
static Status dark_channel(Plan *to, int in, int radius, int *out) {
    Mask *square;
    TRY(plan_single(to, POINT_darkest, NULL, 0, (const int[STAGE_INPUTS]){in, none, none}, out));
    TRY(element_box(radius, &square));
    return plan_append(to, &op_morphology, &(MorphologyJob){square, false, plan_border(to, in)},
                       (const int[STAGE_INPUTS]){*out, none, none}, PIXEL_F32, out);
}

/* The values of `in`, 1 being those of the haze: the largest of each colour where the dark channel is brightest. All
 * above 1 are 1. */
static Status by_haze(Plan *to, int in, const Values *v, int *out) {
    const double white = plan_value_white(to, in);
    const Shape shape = plan_value_shape(to, in);
    const CurveJob brightest = {.kind = CURVE_stretch, .parameters = {0, v->share / 100, 0, white}};
    CurveJob haze = {.kind = CURVE_stretch,
                     .bins = bins_of(shape.type, white),
                     .extrema = shape_colours(shape),
                     .line = true,
                     .white = white,
                     .parameters = {0, 0, 0, white}};
    BlendJob hazy = {.mode = BLEND_multiply, .ignore_alpha = true, .opacity = 1, .white = white, .scale = 1};
    ReduceJob extrema = {.what = REDUCE_EXTREMA};
    LookupJob lookup = {.bins = haze.bins, .line = true};
    int mask, found;
    TRY(dark_channel(to, in, (int)v->radius, &mask));
    TRY(plan_by_statistics(to, mask, (Statistics){BY_CHANNEL, 1}, brightest, (LookupJob){0}, &mask));
    TRY(plan_function(to, POINT_threshold, (const double[]){BRIGHTEST}, 1, mask, &mask));
    TRY(plan_append(to, &op_blend, &hazy, (const int[STAGE_INPUTS]){in, mask, none}, PIXEL_F32, &found));
    TRY(plan_append(to, &op_reduce, &extrema, (const int[STAGE_INPUTS]){found, none, none}, PIXEL_U32, &found));
    TRY(plan_append(to, &op_curve, &haze, (const int[STAGE_INPUTS]){found, none, none}, PIXEL_F32, &found));
    return plan_append(to, &op_lookup, &lookup, (const int[STAGE_INPUTS]){in, found, none}, PIXEL_F32, out);
}

/* The share of light that comes through, in as many channels as `in`. */
static Status passes(Plan *to, int in, int relative, const Values *v, int *out) {
    const double white = plan_value_white(to, in);
    GuidedJob guided = {(int)v->refine, EPSILON * white * white, true, plan_border(to, in)};
    BlendJob spread = {.mode = BLEND_normal, .ignore_alpha = true, .opacity = 1, .white = white, .scale = 1};
    int guide, share;
    TRY(plan_single(to, POINT_grayscale, NULL, 0, (const int[STAGE_INPUTS]){in, none, none}, &guide));
    TRY(dark_channel(to, relative, (int)v->radius, &share));
    TRY(plan_function(to, POINT_linear, (const double[]){-v->strength / 100, 1}, 2, share, &share));
    TRY(plan_append(to, &op_guided, &guided, (const int[STAGE_INPUTS]){share, guide, none}, PIXEL_F32, &share));
    return plan_append(to, &op_blend, &spread, (const int[STAGE_INPUTS]){in, share, none}, PIXEL_F32, out);
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    int value = in, relative, share;
    if (plan_value_shape(to, in).type != PIXEL_F32)
        TRY(plan_point(to, POINT_convert, in, none, PIXEL_F32, &value));
    TRY(by_haze(to, value, context, &relative));
    TRY(passes(to, value, relative, context, &share));
    return plan_point_with(to, POINT_dehaze, (const double[]){PASSES_MIN}, 1,
                           (const int[STAGE_INPUTS]){value, relative, share}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    Values v = *(const Values *)values;
    *out = in;
    return v.strength > 0 ? plan_straight(to, in, append, &v, out) : STATUS_OK;
}

const Filter filter_dehaze = {
    .name = "dehaze",
    .category = FILTER_STATISTICS,
    .help = "Takes haze away, by how bright the darkest things are in each part of the picture.",
    .definition =
        "K. He, J. Sun and X. Tang, Single Image Haze Removal Using Dark Channel Prior, 2009, equation 16, with t0 "
        "0.1. Their Guided Image Filtering (2010), by the luma, with epsilon 0.001, takes the place of matting. The "
        "haze has the largest value of each colour where the dark channel is brightest; brighter values stay.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "50",
};
