/* window.h: luma, and the mean of a quadrant. */
#ifndef GLINT_CPU_KUWAHARA_WINDOW_H
#define GLINT_CPU_KUWAHARA_WINDOW_H

#include "core/ops/kuwahara.h"

static inline double kuwahara_value(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const Border border = kuwahara_job(stage)->border;
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)stage->in[0].shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)stage->in[0].shape.height);
    return sx < 0 || sy < 0 ? (double)border.value : view_value(stage->in[0], (size_t)sx, (size_t)sy, c);
}

static inline int kuwahara_luma_at(const Stage *stage, ptrdiff_t x, ptrdiff_t y) {
    const bool coloured = stage->in[0].shape.channels >= 3;
    const double r = kuwahara_value(stage, x, y, 0);
    return kuwahara_luma(kuwahara_job(stage), r, coloured ? kuwahara_value(stage, x, y, 1) : r,
                         coloured ? kuwahara_value(stage, x, y, 2) : r);
}

/* Stores the mean of the quadrant whose upper left pixel is (left, top). */
static inline void kuwahara_store(const Stage *stage, ptrdiff_t x, ptrdiff_t y, ptrdiff_t left, ptrdiff_t top) {
    const int side = kuwahara_job(stage)->radius + 1;
    for (int c = 0; c < stage->out.shape.channels; c++) {
        double sum = 0;
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
                sum += kuwahara_value(stage, left + i, top + j, c);
        view_set_value(stage->out, (size_t)x, (size_t)y, c, sum / (side * side));
    }
}

#endif
