/* log.c: the Laplacian of a Gaussian. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double sigma, scale, bias;
} Values;

static const Param params[] = {
    {"sigma", "width of the Gaussian", "pixels", PARAM_NUMBER, offsetof(Values, sigma), 0.3, 1.5, 31, 0.1},
    PARAM_SIGNED(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const int radius = (int)ceil(4 * v->sigma), side = 2 * radius + 1; /* 3 sigma would cut off too much of x^2 */
    const double s2 = v->sigma * v->sigma;
    Mask *mask;
    TRY(mask_create(side, side, &mask));
    double bell[MASK_MAX] = {0}, bent[MASK_MAX] = {0}, sum = 0, bend = 0;
    for (int i = 0; i < side; i++)
        sum += bell[i] = exp(-0.5 * (i - radius) * (i - radius) / s2);
    for (int i = 0; i < side; i++)
        bend += bent[i] = bell[i] / sum * ((i - radius) * (i - radius) / s2 - 1);
    for (int i = 0; i < side * side; i++) {
        const double across = bent[i % side] * bell[i / side] / sum, down = bell[i % side] / sum * bent[i / side];
        mask->weights[i] = (float)(across + down - 2 * bend / side / side);
    }
    mask->divisor = (float)(1 / v->scale);
    return plan_convolve(to, in, mask, (float)v->bias, plan_value_shape(to, in).type, out);
}

const Filter filter_log = {
    .name = "log",
    .category = FILTER_EDGES,
    .help = "Shows blobs and edges of one size: the Laplacian of the picture blurred by a Gaussian.",
    .definition = "sigma^2 times scipy.ndimage.gaussian_laplace with a radius of ceil(4 sigma), less the mean of its "
                  "weights, so that flat areas give 0. T. Lindeberg, Feature Detection with Automatic Scale Selection, "
                  "1998.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "2:scale=4:bias=128",
};
