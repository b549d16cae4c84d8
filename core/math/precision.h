/* precision.h: f32 rounded to the formats that tensor cores multiply.
 * They differ from f32 in the bits of the significand alone: the exponents, and so the range, are the same. */
#ifndef GLINT_CORE_MATH_PRECISION_H
#define GLINT_CORE_MATH_PRECISION_H

#include "core/math/host_device.h"

#include <stdint.h>
#include <string.h>

typedef enum Precision { PRECISION_F32, PRECISION_TF32, PRECISION_BF16, PRECISIONS } Precision;

/* Bits of f32 that the format has not. */
GLINT_HD int precision_dropped(Precision precision) {
    return precision == PRECISION_F32 ? 0 : precision == PRECISION_TF32 ? 13 : 16;
}

/* The bits of a value without the last `dropped` ones: rounded to nearest, ties to even. NaN stays NaN. */
GLINT_HD uint32_t precision_round_bits(uint32_t bits, int dropped) {
    const uint32_t keep = dropped == 0 ? UINT32_MAX : ~((1U << dropped) - 1);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return (bits & keep) | 0x00400000U;
    return dropped == 0 ? bits : (bits + (1U << (dropped - 1)) - 1 + (bits >> dropped & 1)) & keep;
}

GLINT_HD float precision_round(float value, int dropped) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = precision_round_bits(bits, dropped);
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
