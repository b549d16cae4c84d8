/* tap_sum.h: one output value with a border test at every tap. The level naive takes it for all values, the faster
 * levels for values near the edge. Sums of u16 are double: f32 would round one result in a hundred differently. */
#ifndef GLINT_CPU_CONVOLVE_TAP_SUM_H
#define GLINT_CPU_CONVOLVE_TAP_SUM_H

#include "core/ops/convolve.h"

#include <math.h>
#include <stdint.h>

/* The sum over the mask at (x, y); a row's sum is finished before it is added, which keeps large masks' rounding small.
 */
static inline double tap_sum(const ConvolveJob *job, ImageView in, size_t x, size_t y, int c) {
    const Mask *mask = job->mask;
    double whole = 0;
    float sum = 0;
    for (int j = 0; j < mask->height; j++) {
        const ptrdiff_t sy =
            border_index(job->border.mode, (ptrdiff_t)y + j - mask->height / 2, (ptrdiff_t)in.shape.height);
        const void *row = sy < 0 ? NULL : view_row(in, (size_t)sy);
        const float *weights = mask->weights + j * mask->width;
        float row_sum = 0;
        for (int i = 0; i < mask->width; i++) {
            const ptrdiff_t sx =
                border_index(job->border.mode, (ptrdiff_t)x + i - mask->width / 2, (ptrdiff_t)in.shape.width);
            const ptrdiff_t at = sx * in.shape.channels + c;
            if (in.shape.type == PIXEL_U16)
                whole +=
                    (double)weights[i] * (!row || sx < 0 ? (double)job->border.value : ((const uint16_t *)row)[at]);
            else if (!row || sx < 0)
                row_sum += weights[i] * job->border.value;
            else
                row_sum +=
                    weights[i] * (in.shape.type == PIXEL_U8 ? ((const uint8_t *)row)[at] : ((const float *)row)[at]);
        }
        sum += row_sum;
    }
    return in.shape.type == PIXEL_U16 ? whole : (double)sum;
}

/* sum / divisor + bias, in single precision unless the sum needs double. */
static inline double finish(const ConvolveJob *job, double sum) {
    return sum / (double)job->mask->divisor + (double)job->bias;
}

/* Rounds to nearest even and clamps, without the generality of view_set_value. */
static inline void store_value(ImageView out, size_t x, size_t y, int c, double value) {
    const size_t at = x * (size_t)out.shape.channels + (size_t)c;
    void *row = view_row(out, y);
    if (out.shape.type == PIXEL_U8)
        ((uint8_t *)row)[at] = (uint8_t)lrint(fmin(fmax(value, 0), 255));
    else if (out.shape.type == PIXEL_U16)
        ((uint16_t *)row)[at] = (uint16_t)lrint(fmin(fmax(value, 0), 65535));
    else
        ((float *)row)[at] = (float)value;
}

#endif
