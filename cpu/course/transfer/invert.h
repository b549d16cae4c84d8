/* invert.h: white minus each value, of values in host memory. */
#ifndef GLINT_CPU_COURSE_TRANSFER_INVERT_H
#define GLINT_CPU_COURSE_TRANSFER_INVERT_H

#include "core/ops/transfer.h"

static inline void invert_bytes(const unsigned char *from, unsigned char *to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = (unsigned char)~from[i];
}

/* Writes white minus each value, for `bytes` of values of this type; `from` may be `to`. White minus a whole number
 * flips all bits, since white has all bits set. */
static inline void invert_values(const void *from, void *to, size_t bytes, PixelType type) {
    const float *in = from;
    float *out = to;
    if (type != PIXEL_F32)
        invert_bytes(from, to, bytes);
    for (size_t i = 0; i < bytes / sizeof *in && type == PIXEL_F32; i++)
        out[i] = 1 - in[i];
}

#endif
