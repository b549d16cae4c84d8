/* brightness.c: a constant added to every value. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "added to every value", "percent of full intensity", PARAM_NUMBER, offsetof(Values, amount), -100, 10,
     100, 2},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_function(to, POINT_linear, (const double[]){1, ((const Values *)values)->amount / 100}, 2, in, out);
}

const Filter filter_brightness = {
    .name = "brightness",
    .category = FILTER_POINT,
    .help = "Makes the picture brighter or darker by a constant.",
    .definition = "Value plus amount times full intensity, as the offset of SVG's feComponentTransfer of type linear.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
