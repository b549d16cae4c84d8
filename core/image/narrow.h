/* narrow.h: pictures of fewer bits a value. */
#ifndef GLINT_CORE_IMAGE_NARROW_H
#define GLINT_CORE_IMAGE_NARROW_H

#include "core/image/rows.h"

/* Makes the picture, and all behind it, of PIXEL_U8 or PIXEL_U16 where they have more bits. Values are rounded to the
 * nearest, ties to even, and cut off at 0 and full intensity; NaN becomes 0. Premultiplied colours become straight.
 * STATUS_DEVICE without memory. */
Status image_narrow(Image **image, PixelType type);

/* A sink of rows of this type, premultiplied or not, which are narrowed so for `to`, which is the new sink's to close.
 * STATUS_DEVICE without memory: then `to` is closed. */
Status narrow_rows(RowSink *to, PixelType type, bool premultiplied, RowSink **rows);

#endif
