/* window.h: the sums of both masks at one value, with a border test at every tap. */
#ifndef GLINT_CPU_DERIVATIVE_WINDOW_H
#define GLINT_CPU_DERIVATIVE_WINDOW_H

#include "core/ops/derivative.h"

/* A value as the masks see it, times the pixel's alpha if the job says so: nothing shows where there is none. */
static inline double derivative_seen(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    const DerivativeJob *job = derivative_job(stage);
    const ImageView in = stage->in[0];
    const ptrdiff_t sx = border_index(job->border.mode, x, (ptrdiff_t)in.shape.width);
    const ptrdiff_t sy = border_index(job->border.mode, y, (ptrdiff_t)in.shape.height);
    if (sx < 0 || sy < 0)
        return derivative_outside(job);
    const double value = view_value(in, (size_t)sx, (size_t)sy, c);
    const double alpha = job->alpha ? view_value(in, (size_t)sx, (size_t)sy, in.shape.channels - 1) : 1;
    return alpha > 0 ? value * alpha : 0;
}

typedef struct Slopes {
    double x, y;
} Slopes;

/* Weights of 0 are not read. */
static inline Slopes derivative_slopes(const Stage *stage, ptrdiff_t x, ptrdiff_t y, int c) {
    Slopes sums = {0, 0};
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            const int wx = derivative_weight_x(derivative_job(stage), i, j);
            const int wy = derivative_weight_y(derivative_job(stage), i, j);
            const double value = wx != 0 || wy != 0 ? derivative_seen(stage, x + i, y + j, c) : 0;
            sums.x += wx != 0 ? wx * value : 0;
            sums.y += wy != 0 ? wy * value : 0;
        }
    return sums;
}

#endif
