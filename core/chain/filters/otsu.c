/* otsu.c: black and white, by the threshold that the picture itself suggests. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double by, range;
} Values;

static const Param params[] = {
    {"by", "the compared values: each channel by itself, or luma, for black and white", "channel|luma", PARAM_CHOICE,
     offsetof(Values, by), BY_CHANNEL, BY_LUMA, BY_LUMA, 1},
    PARAM_RANGE(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Statistics statistics = {(StatisticsBy)v->by, v->range};
    const LookupJob lookup = {.nearest = true,
                              .luma = statistics.by == BY_LUMA && shape_colours(plan_value_shape(to, in)) == 3};
    return plan_by_statistics(to, in, statistics, (CurveJob){.kind = CURVE_otsu}, lookup, out);
}

const Filter filter_otsu = {
    .name = "otsu",
    .category = FILTER_STATISTICS,
    .help = "Makes the picture black and white, at the brightness that parts its dark and its light values best.",
    .definition = "N. Otsu, A Threshold Selection Method from Gray-Level Histograms (1979): white above the threshold "
                  "that makes the variance between both classes largest; as cv::threshold with THRESH_OTSU.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
