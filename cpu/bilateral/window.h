/* window.h: a value of a picture that goes on beyond its edge. */
#ifndef GLINT_CPU_BILATERAL_WINDOW_H
#define GLINT_CPU_BILATERAL_WINDOW_H

#include "core/ops/bilateral.h"

static inline double bilateral_value(ImageView view, Border border, ptrdiff_t x, ptrdiff_t y, int c) {
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)view.shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)view.shape.height);
    return sx < 0 || sy < 0 ? (double)border.value : view_value(view, (size_t)sx, (size_t)sy, c);
}

#endif
