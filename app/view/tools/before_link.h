/* before_link.h: places of the shown result among the pixels that a link of the chain gets.
 * Owns where tools put a filter that moves pixels: in front of the first crop, whose part is then of what was moved. */
#ifndef GLINT_APP_VIEW_TOOLS_BEFORE_LINK_H
#define GLINT_APP_VIEW_TOOLS_BEFORE_LINK_H

#include "app/view/session/viewer.h"

/* The link in front of which a new one goes. */
size_t link_before_crop(const Chain *chain);
/* Puts a filter, as chains spell it, in front of such a link, and selects it, unless one behind it was selected. Fails
 * as viewer_insert_link does. */
Status insert_link_before_crop(Viewer *viewer, size_t link, const char *text);
/* Takes points of the shown result to pixels in front of `link`, and *in is the picture there. STATUS_USAGE if a filter
 * from there on has no place for each pixel, or the link is not carried out. */
Status points_before_link(const Viewer *viewer, size_t link, double (*places)[2], size_t count, Shape *in);

#endif
