/* reduce.h: pictures made smaller for the window.
 * Owns averaging over the area that a window pixel covers. */
#ifndef GLINT_RENDER_REDUCE_H
#define GLINT_RENDER_REDUCE_H

#include "core/image/image.h"

/* A part of a picture, pixels. */
typedef struct ImagePart {
    size_t x, y, width, height;
} ImagePart;

/* A picture's length in window pixels at `scale` (0 to 1): those whose centres lie on it, at least one. */
size_t reduced_length(size_t length, double scale);

/* Fills `to` with the part from (x, y) on of `from` reduced by `scale` (0 to 1). Pixel (i, j) is the average over the
 * square [(x + i) / scale, (x + i + 1) / scale) by [(y + j) / scale, (y + j + 1) / scale). Only its part within the
 * picture counts, pixels at the edge by their share. Values of 2 and 4 channels are weighted by their alpha. Same type
 * and channels; the part lies within reduced_length of both sides. STATUS_DEVICE if memory is short. */
Status reduce_part(ImageView from, double scale, size_t x, size_t y, ImageView to);

/* Reduces as reduce_part does where only a part of `from` has its pixels yet: averages are over that part alone. Only
 * the calling thread works. */
Status reduce_known(ImageView from, double scale, ImagePart known, size_t x, size_t y, ImageView to);
/* Along a side, the first pixel of the reduced picture whose centre lies at `at` or behind. */
size_t reduced_first(size_t at, size_t length, double scale);

#endif
