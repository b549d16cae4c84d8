/* gaussian.c: blur with the bell curve. */
#include "core/filters/filters.h"

typedef struct Values {
    double sigma, radius;
} Values;

static const Param params[] = {
    {"sigma", "width of the bell curve", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.1, 2, 42, 0.1},
    {"radius", "pixels to each side that count; 0 takes 3 sigma", "pixels", PARAM_WHOLE, offsetof(Values, radius), 0, 0,
     127, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *mask;
    TRY(mask_gaussian(v->sigma, (int)v->radius, &mask));
    return plan_convolve(to, in, mask, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_gaussian = {
    .name = "gaussian",
    .category = FILTER_LINEAR,
    .help = "Blurs with a bell curve; the wider, the softer.",
    .definition = "scipy.ndimage.gaussian_filter with a radius of ceil(3 sigma): weights exp(-x^2 / (2 sigma^2)), which sum to 1.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
