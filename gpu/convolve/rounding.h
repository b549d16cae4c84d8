/* rounding.h: the error by rounding a mask's weights, before they are rounded. */
#ifndef GLINT_GPU_CONVOLVE_ROUNDING_H
#define GLINT_GPU_CONVOLVE_ROUNDING_H

struct DistinctWeights; /* gpu/convolve/fixed_point.h */

#define FIXED_POINT_MAX (127 * 256 + 127.0) /* of a whole number: both bytes signed */

/* About the error that rounding the weights at this scale brings to a result, as FixedPointMask.error but for the
 * divisor. */
double fixed_point_error(const struct DistinctWeights *of, double scale);

#endif
