/* texel.h: how a pixel lies in a texture.
 * Owns the one difference between the two: texels have 1, 2 or 4 values, so that three become four. The values stay as
 * they are, in their type, so that every route to the window shows the same; the shader makes light of them. */
#ifndef GLINT_CORE_MATH_TEXEL_H
#define GLINT_CORE_MATH_TEXEL_H

#define TEXEL_CHANNELS(channels) ((channels) == 3 ? 4 : (channels))

#endif
