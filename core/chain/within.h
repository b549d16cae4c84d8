/* within.h: where a filter acts: in a rectangle of the picture, or as far as a mask lets it.
 * Owns the values behind "within=", which every filter of a chain takes, and its lowering. */
#ifndef GLINT_CORE_CHAIN_WITHIN_H
#define GLINT_CORE_CHAIN_WITHIN_H

#include "core/plan/plan.h"

/* Whether the text is a rectangle with at least a pixel in it, "WxH+X+Y" in pixels (as X11 and ImageMagick write them).
 * Any other text is the path of a mask. */
bool within_is_rectangle(const char *text, Region *rectangle);
size_t within_format(Region rectangle, char *buffer, size_t size); /* the length as snprintf does */

/* White in the rectangle, as far as it lies in a mask of one channel of bytes. */
void within_fill(ImageView mask, Region rectangle);

/* Puts a filter's result, *value, over its input, `before`, within the place: in a rectangle exactly, by a mask as its
 * luma says. Alpha stays as it was before. STATUS_USAGE if the filter changes the size or the number of channels, or
 * the mask was not offered (plan_offer_images). STATUS_INPUT if the mask is not as large as the picture. */
Status within_plan(Plan *plan, const char *within, int before, int *value);

#endif
