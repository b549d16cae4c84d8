/* apple_gain_map.h: gain maps as Apple's phones have made them since 2020, without metadata of ISO 21496-1 ("Applying
 * Apple HDR effect to your photos", developer documentation). In light, a picture is brighter by
 * 1 + (headroom - 1) value, where values are coded as ITU-R BT.709 codes light. */
#ifndef GLINT_CORE_CODEC_APPLE_GAIN_MAP_H
#define GLINT_CORE_CODEC_APPLE_GAIN_MAP_H

#include "core/image/gain_map.h"

#define APPLE_GAIN_MAP "urn:com:apple:photo:2020:aux:hdrgainmap" /* the type of such an auxiliary picture */

/* How much brighter than white a picture gets, as the maker's notes of its Exif say; 0 where they do not. */
double apple_headroom_of_exif(ImageBlock exif);
/* The same by the XMP of the map (HDRGainMapHeadroom); `data` may be NULL. */
double apple_headroom_of_xmp(ImageBlock xmp);

/* Whether a headroom means something: above 1, up to 2^16. */
bool apple_headroom_is_sound(double headroom);
/* Makes of a map of one channel one of stops, in f32, and the curve that says so. STATUS_DEVICE without memory. */
Status apple_gain_map_make(double headroom, Image **map, GainCurve *curve);

#endif
