/* icc.h: colours by the ICC profiles that come with pictures, through Little CMS where the build has it. */
#ifndef GLINT_CORE_IMAGE_ICC_H
#define GLINT_CORE_IMAGE_ICC_H

#include "core/image/icc_header.h"
#include "core/image/image.h"
#include "core/image/tone.h"

bool icc_available(void);

/* Converts the picture and those behind it, each by its own profile, to sRGB, by relative colorimetry with black point
 * compensation. Frames of an animation have the first one's. Alpha stays, gray stays gray, and no profile is left.
 * STATUS_INPUT if a profile is damaged or does not fit the picture, which is worth nothing then. The message names
 * `keeping`, the setting that leaves colours as they are. STATUS_DEVICE if memory is short. */
Status icc_to_srgb(Image *first, const char *keeping);

/* Whether this profile can convert values of a picture of this shape: not if it is damaged or for other colours, nor
 * without Little CMS. STATUS_DEVICE if memory is short. */
Status icc_converts(const unsigned char *profile, size_t size, Shape shape, bool *converts);

/* Converts f32 in place from linear light of sRGB's primaries, also beyond them, to values that this profile gives a
 * meaning; alpha stays. STATUS_INPUT if the profile does not serve (icc_converts), STATUS_DEVICE if memory is short. */
Status icc_from_linear(ImageView view, const unsigned char *profile, size_t size);

/* Converts f32 in place from linear light of this profile's primaries to that of sRGB's, also beyond them; alpha and
 * gray stay. Fails as icc_from_linear does, for profiles without primaries. Without Little CMS, all have sRGB's. */
Status icc_linear_to_srgb(ImageView view, const unsigned char *profile, size_t size);

/* From inks (CMYK) to sRGB, by the profile that says how these inks look. */
typedef struct IccInks IccInks;

/* *inks is NULL, and the status good, for a damaged profile or one without inks, for f32, and without Little CMS.
 * `reversed`: the highest value is no ink. STATUS_DEVICE if memory is short. */
Status icc_inks_open(const unsigned char *profile, size_t size, PixelType type, bool reversed, IccInks **inks);
/* Converts `pixels` pixels of four inks to as many of three colours. */
void icc_inks_convert(const IccInks *inks, const void *from, void *to, size_t pixels);
void icc_inks_close(IccInks **inks); /* accepts NULL, nulls the pointer */

/* How values of a picture with this profile (or NULL, size 0) stand for light. The curves tell it of a profile that has
 * only these and primaries. STATUS_INPUT if it has tables instead, is damaged, or the colours' curves differ; the
 * sentence names a way out. */
Status icc_tone(const unsigned char *profile, size_t size, ToneCurve *tone);

#endif
