/* normalize.c: the darkest value becomes black, the brightest white. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double low, high, by, range;
} Values;

static const Param params[] = {
    {"low", "the result's darkest value", "of full intensity", PARAM_NUMBER, offsetof(Values, low), 0, 0, 1, 0.05},
    {"high", "the result's brightest value", "of full intensity", PARAM_NUMBER, offsetof(Values, high), 0, 1, 1, 0.05},
    PARAM_BY(Values, BY_ALL),
    PARAM_RANGE(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double white = plan_value_white(to, in);
    const CurveJob curve = {.kind = CURVE_stretch, .parameters = {0, 0, white * v->low, white * v->high}};
    return plan_by_statistics(to, in, (Statistics){(StatisticsBy)v->by, v->range}, curve, (LookupJob){0}, out);
}

const Filter filter_normalize = {
    .name = "normalize",
    .category = FILTER_STATISTICS,
    .help = "Stretches the picture between its darkest and its brightest value.",
    .definition = "As cv::normalize with NORM_MINMAX, or skimage.exposure.rescale_intensity; a picture of one value "
                  "stays as it is. f32 values are taken as they are; by luma, or of pictures with alpha, to a 65535th "
                  "of the range.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
