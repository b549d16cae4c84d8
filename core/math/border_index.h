/* border_index.h: coordinates beyond the edge, mapped back or declared outside.
 * Owns the border modes' arithmetic for every backend. */
#ifndef GLINT_CORE_MATH_BORDER_INDEX_H
#define GLINT_CORE_MATH_BORDER_INDEX_H

#include "core/math/host_device.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum BorderMode { BORDER_ZERO, BORDER_CONSTANT, BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP } BorderMode;

typedef struct Border {
    BorderMode mode;
    float value; /* BORDER_CONSTANT: the value outside, as stored (0 to 255 for u8); else 0 */
} Border;

/* Maps coordinate i (any distance outside) into 0..n-1, n >= 1, or returns -1 where the border's value stands. */
GLINT_HD ptrdiff_t border_index(BorderMode mode, ptrdiff_t i, ptrdiff_t n) {
    if (i >= 0 && i < n)
        return i;
    if (mode == BORDER_CLAMP)
        return i < 0 ? 0 : n - 1;
    if (mode == BORDER_WRAP) {
        const ptrdiff_t r = i % n; /* NOLINT(clang-analyzer-core.DivideZero): n >= 1, shape_check sees to it */
        return r < 0 ? r + n : r;
    }
    if (mode == BORDER_MIRROR) { /* reflect-101: the edge pixel is not repeated; the period is 2n - 2 */
        if (n == 1)
            return 0;
        const ptrdiff_t period = 2 * n - 2;
        ptrdiff_t r = i % period;
        r = r < 0 ? r + period : r;
        return r < n ? r : period - r;
    }
    return -1;
}

#endif
