/* window.h: operations whose results depend on a window around each pixel.
 * Owns the part of a picture that such windows read, beyond its edges as the border says. */
#ifndef GLINT_CORE_STAGE_WINDOW_H
#define GLINT_CORE_STAGE_WINDOW_H

#include "core/image/border.h"
#include "core/stage/op.h"

/* The part of an image of shape `in` that the part `out` of a result of the same size reads. Each pixel reads `width` x
 * `height` pixels around it, with the anchor (width / 2, height / 2), rounded down. For an Op's `needs`. */
Region window_needs(BorderMode mode, Region out, Shape in, int width, int height);

/* The value at (x, y), beyond the edges as the border says. */
static inline double window_value(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, int c) {
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)in.shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    return sx < 0 || sy < 0 ? (double)border.value : view_value(in, (size_t)sx, (size_t)sy, c);
}

#endif
