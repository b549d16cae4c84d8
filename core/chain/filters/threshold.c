/* threshold.c: black and white. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double threshold;
} Values;

static const Param params[] = {
    {"threshold", "values above it become white", "percent of full intensity", PARAM_NUMBER,
     offsetof(Values, threshold), 0, 50, 100, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_function(to, POINT_threshold, (const double[]){((const Values *)values)->threshold / 100}, 1, in, out);
}

const Filter filter_threshold = {
    .name = "threshold",
    .category = FILTER_POINT,
    .help = "Makes every value above a threshold white, and all others black.",
    .definition = "As OpenCV's threshold with THRESH_BINARY.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
