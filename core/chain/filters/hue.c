/* hue.c: colours turned around grey. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double angle;
} Values;

static const Param params[] = {
    {"angle", "by which colours are turned: 120 makes red green", "degrees", PARAM_NUMBER, offsetof(Values, angle),
     -360, 30, 360, 5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const double luma[3] = {0.213, 0.715, 0.072};
    static const double across[9] = {-0.213, -0.715, 0.928, 0.143, 0.140, -0.283, -0.787, 0.715, 0.072};
    const double angle = ((const Values *)values)->angle * acos(-1) / 180, cosine = cos(angle), sine = sin(angle);
    double matrix[12] = {0};
    for (int i = 0; i < 9; i++)
        matrix[i / 3 * 4 + i % 3] = (1 - cosine) * luma[i % 3] + (i % 4 == 0 ? cosine : 0) + sine * across[i];
    return plan_matrix(to, matrix, in, out);
}

const Filter filter_hue = {
    .name = "hue",
    .category = FILTER_POINT,
    .help = "Turns all colours around the colour circle; greys stay.",
    .definition = "W3C, Filter Effects Module Level 1, hue-rotate().",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
