/* within.h: where a filter acts: in a rectangle of the picture, or as far as a mask lets it.
 * Owns the values behind "within=", which every filter of a chain takes, and its lowering. */
#ifndef GLINT_CORE_CHAIN_WITHIN_H
#define GLINT_CORE_CHAIN_WITHIN_H

#include "core/plan/plan.h"

/* Whether the text is a rectangle with at least a pixel in it. It is "WxH+X+Y" in pixels (as X11 and ImageMagick write
 * them), or "W%xH%+X%+Y%" in percent of the picture's sides, for pictures of every size. Its edges then lie at whole
 * pixels, halves up. Any other text is the path of a mask. */
bool within_rectangle(const char *text, Shape picture, Region *rectangle);
bool within_is_rectangle(const char *text, Region *rectangle); /* of a picture of 100 x 100 pixels */
bool within_in_pixels(const char *text, Region *rectangle);    /* such a rectangle */
/* The lengths as snprintf does: in pixels; in percent. */
size_t within_format(Region rectangle, char *buffer, size_t size);
size_t within_format_shares(Region rectangle, Shape picture, char *buffer, size_t size);

/* White in the rectangle, as far as it lies in a mask of one channel of bytes. */
void within_fill(ImageView mask, Region rectangle);

/* Puts a filter's result, *value, over its input, `before`, within the place: in a rectangle exactly, by a mask as its
 * luma says. Alpha stays as it was before. STATUS_USAGE if the filter changes the size or the number of channels, or
 * the mask was not offered (plan_offer_images). A mask of another size stands for shares of the picture's sides. */
Status within_plan(Plan *plan, const char *within, int before, int *value);
/* The same by a mask that is a value of the plan, with the picture's size. */
Status within_plan_mask(Plan *plan, int mask, int before, int *value);

#endif
