/* autolevels.c: each channel stretched to the whole range, but for a few values at both ends. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double low, high, by, range;
} Values;

static const Param params[] = {
    {"low", "share of the values that become black", "%", PARAM_NUMBER, offsetof(Values, low), 0, 0.5, 49, 0.1},
    {"high", "share of the values that become white", "%", PARAM_NUMBER, offsetof(Values, high), 0, 0.5, 49, 0.1},
    PARAM_BY(Values, BY_CHANNEL),
    PARAM_RANGE(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const CurveJob curve = {.kind = CURVE_stretch,
                            .parameters = {v->low / 100, v->high / 100, 0, plan_value_white(to, in)}};
    return plan_by_statistics(to, in, (Statistics){(StatisticsBy)v->by, v->range}, curve, (LookupJob){0}, out);
}

const Filter filter_autolevels = {
    .name = "autolevels",
    .category = FILTER_STATISTICS,
    .help = "Stretches each channel to the whole range, and lets a small share of its values become black or white.",
    .definition = "Black is the smallest value that more than `low` of the values do not exceed. White is the largest "
                  "value that more than `high` of them reach. Values in between follow a straight line. f32 values are "
                  "found to a 65535th of the range, or exactly where both shares are 0, without alpha and not by luma.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
