/* vec.h: vectors of three floats, and square roots and quotients as GPUs compute them. */
#ifndef GLINT_CORE_MATH_VEC_H
#define GLINT_CORE_MATH_VEC_H

#include "core/math/host_device.h"

#include <math.h>
#include <stddef.h>

#define PI_F 3.14159265358979323846f

typedef struct Vec {
    float x, y, z;
} Vec;

/* a * b + c: in one instruction where that is sure to exist. The C library's fmaf is a function call of a hundred
 * cycles on processors that the compiler does not know to have it. */
GLINT_HD float times_plus(float a, float b, float c) {
#ifdef GLINT_ON_DEVICE
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

GLINT_HD Vec vec(float x, float y, float z) {
    const Vec v = {x, y, z};
    return v;
}
GLINT_HD Vec vec_minus(Vec a, Vec b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
GLINT_HD Vec vec_times(Vec a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}
/* a + s * b */
GLINT_HD Vec vec_along(Vec a, float s, Vec b) {
    return vec(times_plus(s, b.x, a.x), times_plus(s, b.y, a.y), times_plus(s, b.z, a.z));
}
GLINT_HD float vec_dot(Vec a, Vec b) {
    return times_plus(a.x, b.x, times_plus(a.y, b.y, a.z * b.z));
}
/* The luminance of linear light, x red, y green, z blue (ITU-R BT.709). */
GLINT_HD float vec_luminance(Vec light) {
    return 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
}
GLINT_HD Vec vec_cross(Vec a, Vec b) {
    return vec(times_plus(a.y, b.z, -(a.z * b.y)), times_plus(a.z, b.x, -(a.x * b.z)),
               times_plus(a.x, b.y, -(a.y * b.x)));
}
/* The point of the unit circle at `turn` turns from x to y. On GPUs by the functions of multiples of pi, which need no
 * reduction of large arguments: that one takes a call and a stack. */
GLINT_HD void circle_point(float turn, float *x, float *y) {
#ifdef GLINT_ON_DEVICE
    sincospif(2 * turn, y, x);
#else
    *x = cosf(2 * PI_F * turn);
    *y = sinf(2 * PI_F * turn);
#endif
}
/* sqrt(a) and its reciprocal for a > 0; on GPUs off by two units in the last place at most, which costs a sixth. */
GLINT_HD float root_of(float a) {
#ifdef GLINT_ON_DEVICE
    return a * rsqrtf(a);
#else
    return sqrtf(a);
#endif
}
/* sqrt(a) for a >= 0, as exact as root_of. */
GLINT_HD float root_from_0(float a) {
#ifdef GLINT_ON_DEVICE
    return a * rsqrtf(fmaxf(a, 0x1p-126f));
#else
    return sqrtf(a);
#endif
}
/* a / b; on GPUs off by two units in the last place at most, and 0 for b beyond 2^126. Exact division is ten
 * instructions, and a call where a is 0. */
GLINT_HD float quotient(float a, float b) {
#ifdef GLINT_ON_DEVICE
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
GLINT_HD float inverse_root_of(float a) {
#ifdef GLINT_ON_DEVICE
    return rsqrtf(a);
#else
    return 1.0f / sqrtf(a);
#endif
}
GLINT_HD Vec vec_unit(Vec a) {
    return vec_times(a, inverse_root_of(vec_dot(a, a)));
}

#endif
