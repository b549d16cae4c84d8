/* tonemap.c: light of any brightness within the range of a screen. */
#include "core/chain/filters/filters.h"
#include "core/ops/expose.h"
#include "core/ops/reduce.h"

#include <math.h>

enum { CURVE_REINHARD, CURVE_FILMIC, CURVE_LINEAR };

typedef struct Values {
    double curve, exposure, white, encode, key;
} Values;

static const Param params[] = {
    {"curve", "how light is compressed; linear leaves it as it is, so that only u8 and u16 end at white",
     "reinhard|filmic|linear", PARAM_CHOICE, offsetof(Values, curve), 0, CURVE_REINHARD, CURVE_LINEAR, 1},
    {"exposure", "stops by which light is brightened before", "stops", PARAM_NUMBER, offsetof(Values, exposure), -20, 0,
     20, 0.25},
    {"white", "reinhard: the light that becomes white", "times full intensity", PARAM_NUMBER, offsetof(Values, white),
     0.1, 4, 10000, 0.5},
    {"encode", "1 encodes the result as sRGB, for pictures that hold linear light", "", PARAM_SWITCH,
     offsetof(Values, encode), 0, 0, 1, 1},
    {"key",
     "the new geometric mean of the picture's luminance before the curve; 0.18 is middle gray, 0 leaves it as it is",
     "of full intensity", PARAM_NUMBER, offsetof(Values, key), 0, 0, 1, 0.02},
};

#define BLACK_LIGHT 1e-6 /* added to light, so that black has a logarithm */

/* Bits of the largest logarithm: of 1e-6 to white, and of all light that f32 holds. */
enum { BITS_TO_WHITE = 4, BITS_OF_LIGHT = 7 };

/* Scales light by its log-average, which is that of visible pixels where alpha counts. */
static Status plan_key(Plan *plan, int in, double key, int *out) {
    const bool visible = plan_options(plan)->alpha != ALPHA_IGNORE;
    const Shape whole = plan_whole_shape(plan, in);
    const double steps = exact_steps(whole, whole.type == PIXEL_F32 ? BITS_OF_LIGHT : BITS_TO_WHITE);
    PointJob logarithm = point_single(POINT_light_log, plan_value_white(plan, in),
                                      (const double[]){BLACK_LIGHT, visible ? 1 : 0, steps}, 3, PIXEL_F32);
    ReduceJob mean = {.what = REDUCE_SUM | REDUCE_COUNT, .exact = true};
    ExposeJob expose = {key};
    int light;
    logarithm.steps[0].channels = 1; /* all colours alike */
    TRY(plan_append(plan, &op_point, &logarithm, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_F32,
                    &light));
    TRY(plan_append(plan, &op_reduce, &mean, (const int[STAGE_INPUTS]){light, PLAN_NONE, PLAN_NONE}, PIXEL_U32,
                    &light));
    return plan_append(plan, &op_expose, &expose, (const int[STAGE_INPUTS]){light, in, PLAN_NONE}, PIXEL_F32, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const PointFunction functions[] = {POINT_reinhard, POINT_filmic, POINT_linear};
    const Values *v = values;
    const PixelType type = plan_value_shape(to, in).type;
    const int curve = (int)v->curve;
    const double exposure = exp2(v->exposure), parameters[] = {exposure, curve == CURVE_REINHARD ? v->white : 0};
    if (v->key > 0)
        TRY(plan_key(to, in, v->key, &in));
    const int one[STAGE_INPUTS] = {in, PLAN_NONE, PLAN_NONE};
    TRY(plan_point_with(to, functions[curve], parameters, 2, one, v->encode > 0 ? PIXEL_F32 : type, out));
    return v->encode > 0 ? plan_point(to, POINT_from_linear, *out, PLAN_NONE, type, out) : STATUS_OK;
}

const Filter filter_tonemap = {
    .name = "tonemap",
    .category = FILTER_POINT,
    .help = "Compresses light that is brighter than white.",
    .definition =
        "E. Reinhard, M. Stark, P. Shirley and J. Ferwerda, Photographic Tone Reproduction for Digital Images, 2002, "
        "equation 4, on each channel. With `key`, equations 1 and 2 come before, and the averaged logarithms are of "
        "light plus 1e-6 of white. K. Narkowicz, ACES Filmic Tone Mapping Curve, 2015.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
