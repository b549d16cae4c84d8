/* rendering.h: the HDR rendering of a picture by its gain map, as light in f32, and the way back. */
#ifndef GLINT_CORE_RUN_RENDERING_H
#define GLINT_CORE_RUN_RENDERING_H

#include "core/codec/format.h"
#include "core/image/gain_map.h"
#include "core/image/tone.h"

/* The shape of the HDR rendering of a picture with a map: f32, RGB unless both are gray. */
Shape rendering_shape(Shape picture, Shape map);
/* Makes of a picture with a gain map its HDR rendering (Image.rendered): light, 1 is the white of the picture. Profile
 * and map stay with it. Leaves other pictures. STATUS_INPUT if its profile does not tell how values stand for light
 * (icc_tone), STATUS_DEVICE without memory. */
Status rendering_make(Image **image);
/* The way back from a rendering, which filters may have changed. Makes a picture of u8, and a new map of its own size
 * that renders it so. The old map was moved as the rendering was, and says how bright the picture is. With quality
 * 100 the map also makes up for what coding in this format (or NULL) changes. Leaves other pictures. Fails as
 * rendering_make and codec_encode do. */
Status rendering_split(const Format *format, const SaveOptions *how, Image **image);
/* Whether a format holds light alone, so that the HDR rendering is what it gets of a picture with a map (EXR, HDR). */
bool rendering_is_wanted(const Format *format);
/* Makes of a picture what a format (or NULL) takes of its HDR rendering: that itself, or one of u8 with a new map.
 * Fails as the others here do. */
Status rendering_fit(const Format *format, const SaveOptions *how, Image **image);
/* How values of a picture stand for light, as icc_tone tells it by the profile: those of a rendering are light. */
Status picture_tone(const Image *picture, ToneCurve *tone);
/* Gives a rendering, which stays f32, the primaries of sRGB instead of its profile's: as EXR and HDR have them. Profile
 * and map go. Leaves other pictures. Fails as icc_linear_to_srgb does. */
Status rendering_settle(Image *image);

#endif
