/* gaussian.c: blur with the bell curve: by a mask of 3 sigma to each side, or the whole curve where sigma is large. */
#include "core/chain/filters/gaussian.h"
#include "core/chain/filters/filters.h"

#include "core/ops/gaussian.h"

#include <math.h>

#define MASK_SIGMA_MAX 9 /* up to here a mask is as fast as any other way */

typedef struct Values {
    double sigma, radius, sigma_y;
} Values;

static const Param params[] = {
    {"sigma", "width of the bell curve", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.1, 2, GAUSSIAN_SIGMA_MAX,
     0.1},
    {"radius", "pixels to each side that count; 0 takes 3 sigma up to a sigma of 9, and 6 sigma beyond", "pixels",
     PARAM_WHOLE, offsetof(Values, radius), 0, 0, 127, 1},
    {"sigma_y", "its height; 0 takes sigma", "pixels", PARAM_NUMBER, offsetof(Values, sigma_y), 0, 0,
     GAUSSIAN_SIGMA_MAX, 0.1},
};

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_gaussian, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

Status gaussian_plan(Plan *to, int in, double sigma_x, double sigma_y, int radius, PixelType type, int *out) {
    if (radius < 1 && fmax(sigma_x, sigma_y) > MASK_SIGMA_MAX) {
        GaussianJob job = {sigma_x, sigma_y, plan_border(to, in)};
        return plan_premultiplied(to, in, type, (PlanInner){append, &job, 1, true}, out);
    }
    Mask *mask;
    TRY(mask_gaussian_of(sigma_x, sigma_y, radius, &mask));
    return plan_convolve(to, in, mask, 0, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double sigma_y = v->sigma_y > 0 ? v->sigma_y : v->sigma;
    return gaussian_plan(to, in, v->sigma, sigma_y, (int)v->radius, plan_value_shape(to, in).type, out);
}

const Filter filter_gaussian = {
    .name = "gaussian",
    .category = FILTER_LINEAR,
    .help = "Blurs with a bell curve; the wider, the softer.",
    .definition =
        "scipy.ndimage.gaussian_filter with a radius of ceil(3 sigma), or of ceil(6 sigma) where a sigma exceeds 9: "
        "weights exp(-x^2 / (2 sigma^2)), which sum to 1.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
