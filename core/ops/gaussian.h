/* gaussian.h: the operation gaussian: each pixel becomes a mean weighted by a bell curve, of any width.
 *     out(x, y) = sum of g(i, sigma_x) g(j, sigma_y) in(x + i, y + j),  |i| <= ceil(6 sigma_x), |j| <= ceil(6 sigma_y),
 *     g(i, sigma) = exp(-i^2 / (2 sigma^2)), divided by the sum of all; sigma 0: 1 for i = 0.
 * in[0] -> out: equal width, height and channels; out.type equals in.type or is f32. Results within 3 sigma of a value
 * that is not finite are not finite either. None is beyond 16 sigma and 28 pixels; between, levels differ. */
#ifndef GLINT_CORE_OPS_GAUSSIAN_H
#define GLINT_CORE_OPS_GAUSSIAN_H

#include "core/image/border.h"
#include "core/stage/stage.h"

#define GAUSSIAN_SIGMA_MAX 200

typedef struct GaussianJob {
    double sigma_x, sigma_y; /* pixels, 0 to GAUSSIAN_SIGMA_MAX */
    Border border;
} GaussianJob;

extern const Op op_gaussian;

static inline const GaussianJob *gaussian_job(const Stage *stage) {
    return (const GaussianJob *)stage->job;
}

/* ceil(6 sigma): the weights beyond it sum to 2e-9. */
int gaussian_reach(double sigma);
/* The 2 reach + 1 weights, which sum to 1. */
void gaussian_weights(double sigma, int reach, double *weights);

#endif
