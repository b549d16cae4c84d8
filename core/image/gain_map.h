/* gain_map.h: gain maps: by how much each pixel of a picture is brighter on a display that can show it (HDR).
 * Owns the gains, by Adobe's Gain Map Specification 1.0; ISO 21496-1 has the same formulas. In light, where 1 is the
 * white of the picture, and values of one channel count for all three colours:
 *     hdr + offset_hdr = (picture + offset) 2^gain,  gain = min + (max - min) value^(1/gamma) */
#ifndef GLINT_CORE_IMAGE_GAIN_MAP_H
#define GLINT_CORE_IMAGE_GAIN_MAP_H

#include "core/image/image.h"

/* The values that Adobe's metadata mean where they say none: min 0, gamma 1, offsets 1/64, headroom from 0. max is 0.
 */
GainCurve gain_curve_default(void);
/* Whether it says something: finite numbers, gains up to 2^64, gamma above 0, min <= max, headrooms that ascend. */
bool gain_curve_is_sound(const GainCurve *curve);

/* The map's value at (x, y) of its own pixels' centres, between them bilinear, beyond the edges as there. */
double gain_map_value(ImageView map, double x, double y, int c);

/* 2^gain of colour c at a pixel of a picture of this shape. */
double gain_map_factor(ImageView map, const GainCurve *curve, Shape picture, size_t x, size_t y, int c);

/* The shape of the map that a decoded picture makes: floats for values of 16 bits. Without a channel where it makes
 * none: only gray and RGB do. */
Shape gain_map_shape(Shape decoded);
/* Gives a picture its map: of *map, which is taken, only the pixels stay. If that is NULL, or makes no map, the picture
 * has lost something (EXTRA_BESIDE). STATUS_DEVICE without memory. */
Status gain_map_give(Image **map, const GainCurve *curve, Image *image);

#endif
