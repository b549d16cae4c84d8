/* dog.c: the difference of two Gaussians. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double sigma, outer, scale, bias;
} Values;

static const Param params[] = {
    {"sigma", "width of the inner Gaussian", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.1, 1, 40, 0.1},
    {"outer", "width of the outer one; 0 takes 1.6 sigma, but 42 at most", "pixels", PARAM_NUMBER,
     offsetof(Values, outer), 0, 0, 42, 0.1},
    PARAM_SIGNED(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double outer = v->outer > 0 ? v->outer : fmin(1.6 * v->sigma, params[1].max);
    if (outer <= v->sigma)
        return fail(STATUS_USAGE, "dog: outer is %g, want more than sigma, %g", outer, v->sigma);
    Mask *inner = NULL, *mask = NULL;
    TRY(mask_gaussian(outer, 0, &mask));
    const Status status = mask_gaussian(v->sigma, 0, &inner);
    if (status != STATUS_OK) {
        mask_destroy(&mask);
        return status;
    }
    const int margin = (mask->width - inner->width) / 2;
    for (int i = 0; i < mask->width * mask->height; i++) {
        const int x = i % mask->width - margin, y = i / mask->width - margin;
        const bool inside = x >= 0 && x < inner->width && y >= 0 && y < inner->height;
        mask->weights[i] = (inside ? inner->weights[y * inner->width + x] : 0) - mask->weights[i];
    }
    mask_destroy(&inner);
    mask->divisor = (float)(1 / v->scale);
    return plan_convolve(to, in, mask, (float)v->bias, plan_value_shape(to, in).type, out);
}

const Filter filter_dog = {
    .name = "dog",
    .category = FILTER_EDGES,
    .help = "Shows detail between two sizes: the difference of two Gaussians.",
    .definition = "skimage.filters.difference_of_gaussians, each Gaussian with a radius of ceil(3 sigma). D. Marr and "
                  "E. Hildreth, Theory of Edge Detection, 1980.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "1:scale=4:bias=128",
};
