/* opaque.h: alpha that says nothing, as it is opaque everywhere, and colours times alpha. */
#ifndef GLINT_CORE_IMAGE_OPAQUE_H
#define GLINT_CORE_IMAGE_OPAQUE_H

#include "core/image/image.h"

/* Whether the picture, and all behind it, are opaque in every pixel, or have no alpha. */
bool image_is_opaque(const Image *image);
/* Takes the alpha out of the picture and all behind it, in place; leaves those that have none. */
void image_drop_alpha(Image *image);
/* Divides the colours of f32 pixels by alpha, or multiplies them by it, in place. Where alpha is 0 (at most ALPHA_NONE
 * of core/stage/point.h), colours are light, and stay. */
void view_scale_by_alpha(ImageView view, bool divide);
/* The colours of f32 pixels that were never light, as u8 and u16 have none, times alpha, in place. */
void view_premultiply(ImageView view);
/* Makes the picture and all behind it straight, if they are premultiplied. */
void image_make_straight(Image *image);

#endif
