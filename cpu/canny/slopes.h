/* slopes.h: the slope at a pixel, and what is stored of its edge. */
#ifndef GLINT_CPU_CANNY_SLOPES_H
#define GLINT_CPU_CANNY_SLOPES_H

#include "core/ops/canny.h"

/* That of the channel where it is greatest. */
static inline CannySlope canny_slope_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const CannyJob *job = canny_job(stage);
    const ImageView in = stage->in[0];
    CannySlope greatest = {0, 0, 0};
    for (int c = 0; c < in.shape.channels - job->alpha; c++) {
        double values[9];
        for (int i = 0; i < 9; i++) {
            const ptrdiff_t sx = border_index(job->border.mode, x + i % 3 - 1, (ptrdiff_t)in.shape.width);
            const ptrdiff_t sy = border_index(job->border.mode, y + i / 3 - 1, (ptrdiff_t)in.shape.height);
            values[i] = sx < 0 || sy < 0 ? (double)job->border.value : view_value(in, (size_t)sx, (size_t)sy, c);
        }
        const CannySlope slope = canny_slope(values);
        if (c == 0 || slope.magnitude > greatest.magnitude)
            greatest = slope;
    }
    return greatest;
}

static inline void canny_store(const Stage *stage, size_t x, size_t y, bool edge) {
    const CannyJob *job = canny_job(stage);
    const int channels = stage->out.shape.channels, colours = channels - job->alpha;
    for (int c = 0; c < colours; c++)
        view_set_value(stage->out, x, y, c, edge ? job->white : 0);
    if (job->alpha)
        view_set_value(stage->out, x, y, colours, view_value(stage->in[0], x, y, colours));
}

#endif
