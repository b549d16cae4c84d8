/* texture.h: small pictures within panels. Needs a current OpenGL 3.3 core context. */
#ifndef GLINT_RENDER_TEXTURE_H
#define GLINT_RENDER_TEXTURE_H

#include "core/image/image.h"

/* Makes `*name`, 0 or a texture, show a u8 picture of 3 or 4 channels, or of one, which says how opaque white is there.
 * It is smooth where it is drawn larger or smaller.
 * STATUS_DEVICE if OpenGL has no room. */
Status texture_fill(unsigned *name, ImageView picture);
void texture_free(unsigned *name); /* accepts 0 */

#endif
