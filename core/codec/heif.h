/* heif.h: the parts that reading (heif.c) and writing (heif_save.c) of HEIF and AVIF share. */
#ifndef GLINT_CORE_CODEC_HEIF_H
#define GLINT_CORE_CODEC_HEIF_H

#include "core/codec/format.h"

#include <stdint.h>

/* A value of `bits` bits as one of 16, to the nearest; and back. */
static inline uint16_t heif_widen(unsigned value, int bits) {
    const unsigned max = (1u << bits) - 1;
    return (uint16_t)(((value & max) * 65535u + max / 2) / max);
}
static inline uint16_t heif_narrow(unsigned value, int bits) {
    const unsigned max = (1u << bits) - 1;
    return (uint16_t)((value * max + 32767u) / 65535u);
}

/* Format.save in HEVC's and in AV1's code. STATUS_INPUT where the library has no encoder for it, and where options ask
 * to keep values that 12 bits do not hold. */
Status heif_save(const Image *image, SaveOptions options, Bytes *file);
Status avif_save(const Image *image, SaveOptions options, Bytes *file);

#endif
