/* half.h: IEEE 754's binary16 and floats. */
#ifndef GLINT_CORE_CODEC_HALF_H
#define GLINT_CORE_CODEC_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half) {
    const uint32_t magnitude = half & 0x7FFFu, sign = (half & 0x8000u) << 16;
    uint32_t bits = magnitude << 13;
    float value;
    if (magnitude < 0x0400) {
        value = (float)magnitude * 0x1p-24F;
        memcpy(&bits, &value, sizeof bits);
    } else {
        bits +=
            magnitude < 0x7C00 ? 112u << 23 : 224u << 23; /* the exponent's bias; infinity and NaN have all its bits */
    }
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounded to the nearest, ties to even; beyond the range, infinity. */
static inline uint16_t half_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return (uint16_t)(sign | 0x7E00u);
    if (magnitude >= 0x477FF000u) /* 65520, half way to the first number without a place */
        return (uint16_t)(sign | 0x7C00u);
    if (magnitude < 0x38800000u) /* 2^-14, the smallest that is normal */
        return (uint16_t)(sign | (uint32_t)lrintf(fabsf(value) * 0x1p24F));
    return (uint16_t)(sign | ((magnitude - (112u << 23) + 0x0FFFu + (magnitude >> 13 & 1)) >> 13));
}

#endif
