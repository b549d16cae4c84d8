/* window.h: operations whose results depend on a window around each pixel.
 * Owns which part of a picture such windows read, beyond its edges as the border says. */
#ifndef GLINT_CORE_WINDOW_H
#define GLINT_CORE_WINDOW_H

#include "core/border.h"
#include "core/op.h"

/* What of an image of shape `in` the part `out` of a result of the same size reads: `width` x `height` pixels around
 * each of its own, with the anchor (width / 2, height / 2), rounded down. For an Op's `needs`. */
Region window_needs(BorderMode mode, Region out, Shape in, int width, int height);

#endif
