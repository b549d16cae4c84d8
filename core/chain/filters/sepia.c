/* sepia.c: the brown of old photographs. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount;
} Values;

static const Param params[] = {
    {"amount", "0 leaves the picture as it is, 100 takes all its own colours away", "percent", PARAM_NUMBER,
     offsetof(Values, amount), 0, 100, 100, 5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const double brown[9] = {0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131};
    const double amount = ((const Values *)values)->amount / 100;
    double matrix[12] = {0};
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = amount * brown[i] + (i % 4 == 0 ? 1 - amount : 0);
    return plan_matrix(to, matrix, in, out);
}

const Filter filter_sepia = {
    .name = "sepia",
    .category = FILTER_POINT,
    .help = "Tones the picture brown like an old photograph.",
    .definition = "W3C, Filter Effects Module Level 1, sepia().",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
