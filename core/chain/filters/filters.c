/* filters.c: the list of filters, expanded from filters.def, and stages that several of them append. */
#include "core/chain/filters/filters.h"

#include "core/chain/detail.h"

#include <string.h>

const Filter *const filters[] = {
#define FILTER(name) &filter_##name,
#include "core/chain/filters/filters.def"
#undef FILTER
};
const size_t filter_count = sizeof filters / sizeof filters[0];

bool filter_follows_detail(const Filter *filter) {
    static const Filter *const following[] = {
#define FILTER(name)
#define FILTER_OF_DETAIL(name) &filter_##name,
#include "core/chain/filters/filters.def"
#undef FILTER
    };
    bool follows = false;
    for (size_t i = 0; i < sizeof following / sizeof following[0]; i++)
        follows |= following[i] == filter;
    return follows;
}

Status plan_convolve_3x3(Plan *plan, int in, const float weights[9], double divisor, double bias, PixelType type,
                         int *out) {
    Mask *mask;
    TRY(mask_create(3, 3, &mask));
    memcpy(mask->weights, weights, 9 * sizeof *weights);
    mask->divisor = (float)divisor;
    return plan_convolve(plan, in, mask, (float)bias, type, out);
}

Status plan_function(Plan *plan, PointFunction function, const double *parameters, int count, int in, int *out) {
    const int one[STAGE_INPUTS] = {in, PLAN_NONE, PLAN_NONE};
    return plan_point_with(plan, function, parameters, count, one, plan_value_shape(plan, in).type, out);
}

Status plan_matrix(Plan *plan, const double matrix[12], int in, int *out) {
    static const double luma[3] = {0.2126, 0.7152, 0.0722};
    if (plan_value_shape(plan, in).channels >= 3)
        return plan_function(plan, POINT_matrix, matrix, 12, in, out);
    double line[2] = {0};
    for (int c = 0; c < 3; c++) {
        line[0] += luma[c] * (matrix[4 * c] + matrix[4 * c + 1] + matrix[4 * c + 2]);
        line[1] += luma[c] * matrix[4 * c + 3];
    }
    return plan_function(plan, POINT_linear, line, 2, in, out);
}
