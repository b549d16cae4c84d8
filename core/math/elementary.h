/* elementary.h: exp, log, sine, cosine and powers by sums and products alone.
 * Every backend computes the same double, whatever its library, and loops over them become vectors: no
 * result depends on a branch. They are for results that are stored as f32. Their relative error is below 1e-13. No
 * compiler may fuse their products and sums (CMakeLists.txt, gpu/CMakeLists.txt). */
#ifndef GLINT_CORE_MATH_ELEMENTARY_H
#define GLINT_CORE_MATH_ELEMENTARY_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* 1.5 times 2^52: a value added to it is rounded to even, and is in the lowest bits. */
#define ELEMENTARY_ROUNDER 0x1.8p52

GLINT_HD int64_t elementary_bits(double v) {
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
GLINT_HD double elementary_of_bits(int64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* e^x; beyond -110 and 100, as there: f32 is 0 or infinite. By Taylor's series within half a power of 2. */
GLINT_HD double elementary_exp(double x) {
    const double high = x > 100 ? 100 : x, inside = high < -110 ? -110 : high; /* NaN passes */
    const double shifted = inside * 0x1.71547652b82fep0 + ELEMENTARY_ROUNDER, n = shifted - ELEMENTARY_ROUNDER;
    const double r = inside - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33; /* ln 2 in two parts */
    double sum = 1 / 39916800.0;
    sum = sum * r + 1 / 3628800.0;
    sum = sum * r + 1 / 362880.0;
    sum = sum * r + 1 / 40320.0;
    sum = sum * r + 1 / 5040.0;
    sum = sum * r + 1 / 720.0;
    sum = sum * r + 1 / 120.0;
    sum = sum * r + 1 / 24.0;
    sum = sum * r + 1 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1;
    sum = sum * r + 1;
    const int64_t power = elementary_bits(shifted) - elementary_bits(ELEMENTARY_ROUNDER);
    return sum * elementary_of_bits((int64_t)((uint64_t)(power + 1023) << 52));
}

/* The natural logarithm: that of a power of 2, and the series of atanh for the rest. The rest lies between the root of
 * 1/2 and that of 2. x is no denormal double. */
GLINT_HD double elementary_log(double x) {
    const int64_t bits = elementary_bits(x), fraction = (bits & 0xFFFFFFFFFFFFF) | elementary_bits(1.0);
    const double half = elementary_of_bits(fraction), large = half > 0x1.6a09e667f3bcdp0 ? 1 : 0;
    const double m = half * (1 - 0.5 * large);
    const int64_t power = (int64_t)((uint64_t)bits >> 52 & 0x7FF) - 1023;
    const double e = elementary_of_bits(power + elementary_bits(ELEMENTARY_ROUNDER)) - ELEMENTARY_ROUNDER + large;
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 1 / 17.0;
    sum = sum * z + 1 / 15.0;
    sum = sum * z + 1 / 13.0;
    sum = sum * z + 1 / 11.0;
    sum = sum * z + 1 / 9.0;
    sum = sum * z + 1 / 7.0;
    sum = sum * z + 1 / 5.0;
    sum = sum * z + 1 / 3.0;
    sum = sum * z + 1;
    const double result = e * 0x1.62e42fefa39efp-1 + 2 * s * sum;
    return x > 0 ? (x < (double)INFINITY ? result : x) : x < 0 || x != x ? (double)NAN : -(double)INFINITY;
}

/* The sine of x, or of x and `quarters` of a turn. Up to 2^20 it is as exact as the others, beyond 2^30 NaN. */
GLINT_HD double elementary_sine(double x, int64_t quarters) {
    const double inside = fabs(x) < 0x1p30 ? x : (double)NAN;
    const double shifted = inside * 0x1.45f306dc9c883p-1 + ELEMENTARY_ROUNDER, n = shifted - ELEMENTARY_ROUNDER;
    const double r = inside - n * 0x1.921fb544p0 - n * 0x1.0b4611a626331p-34; /* pi / 2 in two parts */
    const int64_t turn = elementary_bits(shifted) + quarters;
    const double z = r * r;
    double odd = -1 / 1307674368000.0, even = 1 / 20922789888000.0;
    odd = odd * z + 1 / 6227020800.0;
    odd = odd * z - 1 / 39916800.0;
    odd = odd * z + 1 / 362880.0;
    odd = odd * z - 1 / 5040.0;
    odd = odd * z + 1 / 120.0;
    odd = odd * z - 1 / 6.0;
    odd = odd * z * r + r;
    even = even * z - 1 / 87178291200.0;
    even = even * z + 1 / 479001600.0;
    even = even * z - 1 / 3628800.0;
    even = even * z + 1 / 40320.0;
    even = even * z - 1 / 720.0;
    even = even * z + 1 / 24.0;
    even = even * z - 0.5;
    even = even * z + 1;
    const double result = turn & 1 ? even : odd;
    return turn & 2 ? -result : result;
}

/* a to the power of b; of a negative a, where b is whole. Anything to the power of 0 is 1. */
GLINT_HD double elementary_power(double a, double b) {
    const double size = elementary_exp(b * elementary_log(fabs(a)));
    const double half = b * 0.5, whole = floor(b), halves = floor(half);
    const double negative = whole == b ? (halves == half ? size : -size) : (double)NAN;
    return b == 0 ? 1 : a < 0 ? negative : size;
}

#endif
