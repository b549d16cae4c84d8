/* opaque.h: alpha that says nothing, as it is opaque everywhere. */
#ifndef GLINT_CORE_OPAQUE_H
#define GLINT_CORE_OPAQUE_H

#include "core/image.h"

/* Whether the picture, and all behind it, are opaque in every pixel, or have no alpha. */
bool image_is_opaque(const Image *image);
/* Takes the alpha out of the picture and all behind it, in place; leaves those that have none. */
void image_drop_alpha(Image *image);

#endif
