/* widen.h: pictures of more channels. */
#ifndef GLINT_CORE_IMAGE_WIDEN_H
#define GLINT_CORE_IMAGE_WIDEN_H

#include "core/image/image.h"

/* Makes RGB of gray, of the picture and all behind it: three times the same value; alpha stays. Leaves colours. A
 * profile of gray goes with it, and counts as lost. Fails as image_create does. */
Status image_make_rgb(Image **image);

#endif
