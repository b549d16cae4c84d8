/* sobel.c: the length of the gradient.
 * I. Sobel and G. Feldman's 3 x 3 operator (in R. Duda and P. Hart, Pattern Classification and Scene Analysis, 1973).
 */
#include "core/filters/filters.h"

typedef struct Values {
    double scale;
} Values;

static const Param params[] = {
    {"scale", "factor on the gradient", "", PARAM_NUMBER, offsetof(Values, scale), 0.05, 1, 20, 0.05},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const float across[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1}, down[9] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
    const double divisor = 1 / ((const Values *)values)->scale;
    int gx, gy;
    TRY(plan_convolve_3x3(to, in, across, divisor, 0, PIXEL_F32, &gx));
    TRY(plan_convolve_3x3(to, in, down, divisor, 0, PIXEL_F32, &gy));
    return plan_point(to, POINT_magnitude, gx, gy, plan_value_shape(to, in).type, out);
}

const Filter filter_sobel = {
    .name = "sobel",
    .category = FILTER_EDGES,
    .help = "Shows how steep the picture is at each pixel.",
    .definition =
        "I. Sobel and G. Feldman, 1968, in R. Duda and P. Hart, Pattern Classification and Scene Analysis, 1973.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
