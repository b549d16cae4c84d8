/* morton.h: Morton codes are the bits of a cell's three coordinates in turns. Near cells therefore mostly have near
 * codes (Morton, A Computer Oriented Geodetic Data Base, IBM 1966). */
#ifndef GLINT_CORE_MATH_MORTON_H
#define GLINT_CORE_MATH_MORTON_H

#include "core/math/host_device.h"

#include <stdint.h>

/* Puts two zero bits behind each of the lowest ten bits of `v`, which has no others. */
GLINT_HD uint32_t morton_spread(uint32_t v) {
    v = (v | v << 16) & 0x030000FFu;
    v = (v | v << 8) & 0x0300F00Fu;
    v = (v | v << 4) & 0x030C30C3u;
    return (v | v << 2) & 0x09249249u;
}

/* The code of a cell, each coordinate below 1024. */
GLINT_HD uint32_t morton_code(uint32_t x, uint32_t y, uint32_t z) {
    return morton_spread(x) << 2 | morton_spread(y) << 1 | morton_spread(z);
}

/* Puts two zero bits behind each of the lowest 21 bits of `v`, which has no others: for codes of 63 bits. */
GLINT_HD uint64_t morton_spread_wide(uint64_t v) {
    v = (v | v << 32) & 0x001F00000000FFFFu;
    v = (v | v << 16) & 0x001F0000FF0000FFu;
    v = (v | v << 8) & 0x100F00F00F00F00Fu;
    v = (v | v << 4) & 0x10C30C30C30C30C3u;
    return (v | v << 2) & 0x1249249249249249u;
}
GLINT_HD uint64_t morton_code_wide(uint64_t x, uint64_t y, uint64_t z) {
    return morton_spread_wide(x) << 2 | morton_spread_wide(y) << 1 | morton_spread_wide(z);
}

#endif
