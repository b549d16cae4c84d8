/* equalize.c: the values spread so that each range of them has as many pixels. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double by, range;
} Values;

static const Param params[] = {PARAM_BY(Values, BY_LUMA), PARAM_RANGE(Values)};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return plan_by_statistics(to, in, (Statistics){(StatisticsBy)v->by, v->range}, (CurveJob){.kind = CURVE_equalize},
                              (LookupJob){0}, out);
}

const Filter filter_equalize = {
    .name = "equalize",
    .category = FILTER_STATISTICS,
    .help = "Spreads the values until all ranges of brightness have as many pixels.",
    .definition = "As cv::equalizeHist: (values up to v - values of the darkest) / (all - values of the darkest), "
                  "times white. u16 has 65536 bins, f32 is as skimage.exposure.equalize_hist between the bins.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
