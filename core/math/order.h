/* order.h: f32 as whole numbers of the same order, so that minima, maxima and sorting take one instruction each.
 * NaN, of whatever sign and payload, becomes the largest: it sorts above infinity. */
#ifndef GLINT_CORE_MATH_ORDER_H
#define GLINT_CORE_MATH_ORDER_H

#include "core/math/host_device.h"

#include <stdint.h>

enum { ORDER_NAN = 0x7fc00000 };

/* The key of the number with these bits: negative numbers count down in their bits, all others up. */
GLINT_HD int32_t order_key(int32_t bits) {
    const int32_t magnitude = bits & 0x7fffffff;
    return magnitude > 0x7f800000 ? ORDER_NAN : bits ^ (bits >> 31 & 0x7fffffff);
}
/* The bits of the number with this key. */
GLINT_HD int32_t order_bits(int32_t key) {
    return key ^ (key >> 31 & 0x7fffffff);
}

#endif
