/* bins.h: which values of a picture are counted alike.
 * Owns the way from a value to its bin and back, for every backend. A bin of u8 and u16 is one value. f32 values fall
 * in the nearest bin, those beyond the ends in the last one there; NaN is in none. */
#ifndef GLINT_CORE_MATH_BINS_H
#define GLINT_CORE_MATH_BINS_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdint.h>

enum { BINS_U8 = 256, BINS_U16 = 65536, BINS_MAX = 65536 };

/* Bin i holds the values nearest to low + i / scale. */
typedef struct Bins {
    int count;
    float low, scale;
} Bins;

/* The bin of a value that is not NaN. The product is rounded by itself: a fused one would move values between bins. */
GLINT_HD int bin_of(Bins bins, float value) {
    const float at = (value - bins.low) * bins.scale, last = (float)(bins.count - 1);
    return at > 0 ? (int)rintf(at < last ? at : last) : 0;
}

GLINT_HD double bin_value(Bins bins, int bin) {
    return (double)bins.low + bin / (double)bins.scale;
}

/* A straight line: the results of f32 values from `from` to `to`, and beyond as at these. */
enum { LINE_FROM, LINE_TO, LINE_LOW, LINE_HIGH, LINE_VALUES };

/* The line's result for a value that is not NaN. */
GLINT_HD float line_value(const float *line, float value) {
    const float from = line[LINE_FROM], to = line[LINE_TO], low = line[LINE_LOW], high = line[LINE_HIGH];
    return value <= from ? low : value >= to ? high : low + (value - from) / (to - from) * (high - low);
}

/* Rec. 709 luma, the same on every machine: of whole numbers in 16 bits behind the point, of f32 by fused steps. */
GLINT_HD uint32_t luma_whole(uint32_t red, uint32_t green, uint32_t blue) {
    return (13933 * red + 46871 * green + 4732 * blue + 32768) >> 16;
}
GLINT_HD float luma_real(float red, float green, float blue) {
    return fmaf(0.0722F, blue, fmaf(0.7152F, green, 0.2126F * red));
}

#endif
