/* by_statistics.c: the parts that filters by statistics share. They count a picture's values or find its extrema, make
 * a curve of these, and look the picture up in it. */
#include "core/chain/filters/filters.h"
#include "core/ops/reduce.h"

/* Extrema are found faster than counts, of values that all count as they are, and f32 ones exactly. */
static Status plan_extrema(Plan *plan, int in, CurveJob *curve, LookupJob *lookup, int *found) {
    curve->line = lookup->line = plan_value_shape(plan, in).type == PIXEL_F32;
    ReduceJob extrema = {.what = REDUCE_EXTREMA};
    curve->extrema = shape_colours(plan_value_shape(plan, in));
    return plan_append(plan, &op_reduce, &extrema, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, PIXEL_U32,
                       found);
}

Status plan_by_statistics(Plan *plan, int in, Statistics statistics, CurveJob curve, LookupJob lookup, int *out) {
    return plan_by_statistics_of(plan, in, in, statistics, curve, lookup, out);
}

Status plan_by_statistics_of(Plan *plan, int counted, int in, Statistics statistics, CurveJob curve, LookupJob lookup,
                             int *out) {
    const Shape shape = plan_value_shape(plan, in);
    int found, results;
    HistogramJob histogram = {
        .bins = bins_of(shape.type, plan_value_white(plan, in) * statistics.range),
        .luma = statistics.by == BY_LUMA && shape_colours(shape) == 3,
        .visible = shape_has_alpha(shape) && plan_options(plan)->alpha != ALPHA_IGNORE,
    };
    curve.bins = lookup.bins = histogram.bins;
    curve.merge = statistics.by == BY_ALL;
    curve.white = plan_value_white(plan, in);
    if (curve_needs_extrema_alone(&curve) && !histogram.luma && !histogram.visible)
        TRY(plan_extrema(plan, counted, &curve, &lookup, &found));
    else
        TRY(plan_append(plan, &op_histogram, &histogram, (const int[STAGE_INPUTS]){counted, PLAN_NONE, PLAN_NONE},
                        PIXEL_U32, &found));
    TRY(plan_append(plan, &op_curve, &curve, (const int[STAGE_INPUTS]){found, PLAN_NONE, PLAN_NONE}, shape.type,
                    &results));
    return plan_append(plan, &op_lookup, &lookup, (const int[STAGE_INPUTS]){in, results, PLAN_NONE}, shape.type, out);
}
