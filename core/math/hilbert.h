/* hilbert.h: Hilbert's curve through the cells of a cube. Cells that follow each other have a side in common, so that
 * points in a row lie close together; Morton codes jump. Morton's curve and Hilbert's go through the same octants of
 * octants. */
#ifndef GLINT_CORE_MATH_HILBERT_H
#define GLINT_CORE_MATH_HILBERT_H

#include "core/math/morton.h"

enum { HILBERT_BITS = 21 /* of a coordinate */ };

/* Swaps the bits below `bit` of a and b, or flips those of a, which turns or mirrors the part of the curve there. */
GLINT_HD void hilbert_turn(uint32_t bit, uint32_t *a, uint32_t *b) {
    const uint32_t below = bit - 1, swapped = *b & bit ? 0 : (*a ^ *b) & below;
    *a ^= *b & bit ? below : swapped;
    *b ^= swapped;
}

/* The place on the curve of a cell, each coordinate below 2^21 (Skilling, Programming the Hilbert curve, 2004). */
GLINT_HD uint64_t hilbert_code(uint32_t x, uint32_t y, uint32_t z) {
    uint32_t gray = 0;
    for (uint32_t bit = 1u << (HILBERT_BITS - 1); bit > 1; bit >>= 1) {
        x ^= x & bit ? bit - 1 : 0;
        hilbert_turn(bit, &x, &y);
        hilbert_turn(bit, &x, &z);
    }
    y ^= x;
    z ^= y;
    for (uint32_t bit = 1u << (HILBERT_BITS - 1); bit > 1; bit >>= 1)
        gray ^= z & bit ? bit - 1 : 0;
    return morton_code_wide(x ^ gray, y ^ gray, z ^ gray);
}

#endif
