/* within_mask.h: a mask of another size than the picture, as far as its shares of the sides reach.
 * Owns the masks that were made last, since plans of one chain are made again and again. */
#ifndef GLINT_CORE_CHAIN_WITHIN_MASK_H
#define GLINT_CORE_CHAIN_WITHIN_MASK_H

#include "core/image/image.h"

/* The mask's luma (Rec. 709, alpha does not count) at another size, in one channel of its type. Larger ones are mixed
 * linearly between its pixels, smaller ones from all pixels that they cover. The caller owns *made, and nobody changes
 * it. Fails as image_create does. */
Status within_mask_resize(Image *mask, size_t width, size_t height, Image **made);

#endif
