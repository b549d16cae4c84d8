/* unsharp.c: the picture plus the details that a blur takes away. */
#include "core/chain/filters/filters.h"
#include "core/chain/filters/gaussian.h"

typedef struct Values {
    double amount, radius, threshold;
} Values;

static const Param params[] = {
    {"amount", "factor on the detail that the blur takes away, which is added", "", PARAM_NUMBER,
     offsetof(Values, amount), 0, 1, 10, 0.1},
    {"radius", "sigma of the blur, a Gaussian", "pixels", PARAM_NUMBER, offsetof(Values, radius), 0.1, 2, 42, 0.1},
    {"threshold", "values that the blur changes by no more than this stay as they are", "percent of full intensity",
     PARAM_NUMBER, offsetof(Values, threshold), 0, 0, 100, 0.5},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    int blurred;
    TRY(gaussian_plan(to, in, v->radius, v->radius, 0, PIXEL_F32, &blurred));
    if (plan_value_premultiplied(to, in)) /* alpha stays: its blur is no light that the value lacks */
        TRY(plan_point(to, POINT_scaled, blurred, in, PIXEL_F32, &blurred));
    return plan_point_with(to, POINT_unsharp, (const double[]){v->amount, v->threshold / 100}, 2,
                           (const int[STAGE_INPUTS]){in, blurred, PLAN_NONE}, plan_value_shape(to, in).type, out);
}

const Filter filter_unsharp = {
    .name = "unsharp",
    .category = FILTER_LINEAR,
    .help = "Adds the detail that a blur takes away; a threshold spares areas of little contrast.",
    .definition = "skimage.filters.unsharp_mask, its Gaussian with a radius of ceil(3 sigma), or of ceil(6 sigma) "
                  "where sigma exceeds 9; the threshold as in Pillow's ImageFilter.UnsharpMask. Alpha stays.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
