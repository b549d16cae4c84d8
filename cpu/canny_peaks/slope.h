/* slope.h: the slope at any pixel, next to which the border may be, and the class of one. */
#ifndef GLINT_CPU_CANNY_PEAKS_SLOPE_H
#define GLINT_CPU_CANNY_PEAKS_SLOPE_H

#include "core/ops/canny.h"
#include "core/stage/window.h"

/* The slope of the channel where it is greatest. */
static inline CannySlope canny_slope_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const CannyJob *job = canny_job(stage);
    const ImageView in = stage->in[0];
    CannySlope greatest = {0, 0, 0};
    for (int c = 0; c < in.shape.channels - job->alpha; c++) {
        double values[9];
        for (int i = 0; i < 9; i++)
            values[i] = window_value(in, job->border, x + i % 3 - 1, y + i / 3 - 1, c);
        const CannySlope slope = canny_slope(values);
        if (c == 0 || slope.magnitude > greatest.magnitude)
            greatest = slope;
    }
    return greatest;
}

static inline unsigned char canny_class(const CannyJob *job, bool peak, double magnitude) {
    return !peak || !(magnitude > job->low) ? 0 : magnitude > job->high ? CANNY_STRONG : CANNY_WEAK;
}

#endif
