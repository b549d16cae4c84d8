/* about.h: copies of the data that pictures carry besides pixels. */
#ifndef GLINT_CORE_IMAGE_ABOUT_H
#define GLINT_CORE_IMAGE_ABOUT_H

#include "core/image/image.h"

/* Gives `to` all of `from` that is not pixels, as image_pass_on does, but `from` keeps it. STATUS_DEVICE without
 * memory; `to` is to be destroyed then, too. */
Status image_copy_about(const Image *from, Image *to);
/* Copies a picture and those behind it, pixels and all. Fails as image_create does. */
Status image_copy(const Image *first, Image **copy);

#endif
