/* saturation.c: colours against grey. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double factor;
} Values;

static const Param params[] = {
    {"factor", "0 takes all colour away, 1 changes nothing", "", PARAM_NUMBER, offsetof(Values, factor), 0, 1.5, 10,
     0.05},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const double luma[3] = {0.213, 0.715, 0.072};
    const double factor = ((const Values *)values)->factor;
    double matrix[12] = {0};
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = (1 - factor) * luma[i % 3] + (i % 4 == 0 ? factor : 0);
    return plan_matrix(to, matrix, in, out);
}

const Filter filter_saturation = {
    .name = "saturation",
    .category = FILTER_POINT,
    .help = "Makes colours stronger or weaker; greys stay.",
    .definition = "W3C, Filter Effects Module Level 1, saturate().",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "1",
};
