/* by_histogram.c: what the filters by statistics share: a picture counted, a curve made of the counts, and the picture
 * looked up in it. */
#include "core/filters/filters.h"

Status plan_by_histogram(Plan *plan, int in, Statistics statistics, CurveJob curve, LookupJob lookup, int *out) {
    const Shape shape = plan_value_shape(plan, in);
    int counts, results;
    HistogramJob histogram = {
        .bins = bins_of(shape.type, plan_value_white(plan, in) * statistics.range),
        .luma = statistics.by == BY_LUMA && shape_colours(shape) == 3,
        .visible = shape_has_alpha(shape) && plan_options(plan)->alpha != ALPHA_IGNORE,
    };
    curve.bins = lookup.bins = histogram.bins;
    curve.merge = statistics.by == BY_ALL;
    curve.white = plan_value_white(plan, in);
    TRY(plan_append(plan, &op_histogram, &histogram, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_U32,
                    &counts));
    TRY(plan_append(plan, &op_curve, &curve, (const int[STAGE_INPUTS]){counts, PLAN_NONE, PLAN_NONE}, shape.type,
                    &results));
    return plan_append(plan, &op_lookup, &lookup, (const int[STAGE_INPUTS]){in, results, PLAN_NONE}, shape.type, out);
}
