/* tonemap.c: light of any brightness within the range of a screen. */
#include "core/filters/filters.h"

#include <math.h>

enum { CURVE_REINHARD, CURVE_FILMIC, CURVE_LINEAR };

typedef struct Values {
    double curve, exposure, white, encode;
} Values;

static const Param params[] = {
    {"curve", "how light is compressed; linear cuts it off at white", "reinhard|filmic|linear", PARAM_CHOICE,
     offsetof(Values, curve), 0, CURVE_REINHARD, CURVE_LINEAR, 1},
    {"exposure", "stops by which light is brightened before", "stops", PARAM_NUMBER, offsetof(Values, exposure), -20, 0,
     20, 0.25},
    {"white", "reinhard: the light that becomes white", "times full intensity", PARAM_NUMBER, offsetof(Values, white),
     0.1, 4, 10000, 0.5},
    {"encode", "1 encodes the result as sRGB, for pictures that hold linear light", "", PARAM_SWITCH,
     offsetof(Values, encode), 0, 0, 1, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const PointFunction functions[] = {POINT_reinhard, POINT_filmic, POINT_linear};
    const Values *v = values;
    const PixelType type = plan_value_shape(to, in).type;
    const int curve = (int)v->curve;
    const double exposure = exp2(v->exposure), parameters[] = {exposure, curve == CURVE_REINHARD ? v->white : 0};
    const int one[STAGE_INPUTS] = {in, PLAN_NONE, PLAN_NONE};
    TRY(plan_point_with(to, functions[curve], parameters, 2, one, v->encode > 0 ? PIXEL_F32 : type, out));
    return v->encode > 0 ? plan_point(to, POINT_from_linear, *out, PLAN_NONE, type, out) : STATUS_OK;
}

const Filter filter_tonemap = {
    .name = "tonemap",
    .category = FILTER_POINT,
    .help = "Compresses light that is brighter than white.",
    .definition =
        "E. Reinhard, M. Stark, P. Shirley and J. Ferwerda, Photographic Tone Reproduction for Digital Images, "
        "2002, equation 4, on each channel; K. Narkowicz, ACES Filmic Tone Mapping Curve, 2015.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
