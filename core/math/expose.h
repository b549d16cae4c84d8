/* expose.h: by how much light is scaled so that its mean becomes a key.
 * Owns the formula for every backend: E. Reinhard et al., Photographic Tone Reproduction for Digital Images, 2002,
 * equations 1 and 2. */
#ifndef GLINT_CORE_MATH_EXPOSE_H
#define GLINT_CORE_MATH_EXPOSE_H

#include "core/math/host_device.h"

#include <math.h>

/* The geometric mean, by the sum of `count` logarithms, becomes `key`; 1 where there is no such factor. */
GLINT_HD double expose_factor(double key, double count, double sum) {
    const double factor = key / exp(sum / count);
    return factor > 0 && factor < (double)INFINITY ? factor : 1;
}

#endif
