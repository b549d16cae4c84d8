/* placed.h: a picture seen at the places of another one's pixels.
 * Owns the values of pixels that a map moves, and the part where there are any. */
#ifndef GLINT_APP_VIEW_DATA_PLACED_H
#define GLINT_APP_VIEW_DATA_PLACED_H

#include "core/image/image.h"
#include "core/param/homography.h"

/* A rectangle of pixels; width 0: none. */
typedef struct PlacedPart {
    size_t x, y, width, height;
} PlacedPart;

/* Makes `count` rows of `to` from row `first` on. The map takes its pixels to those of `from`, with centres at whole
 * coordinates; its third number is positive on `to`. A value is the average of the picture over the pixel's area, and
 * values between pixels are mixed in proportion. Pixels that are moved by whole ones stay as they are, bit for bit.
 * Both pictures have the same channels; values are scaled to the white of `to`. Pixels at the ends of the picture have
 * the values there, those beyond are 0. */
void placed_rows(ImageView from, const Homography *map, ImageView to, size_t first, size_t count);
/* The largest rectangle of a picture of width x height pixels whose pixels lie wholly on `from`. */
PlacedPart placed_part(Shape from, const Homography *map, size_t width, size_t height);

#endif
