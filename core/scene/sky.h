/* sky.h: pictures of the sky, from their files.
 * Owns reading them and the table by which directions are drawn; core/math/sky.h says what they mean. */
#ifndef GLINT_CORE_SCENE_SKY_H
#define GLINT_CORE_SCENE_SKY_H

#include "core/base/status.h"
#include "core/math/sky.h"
#include "core/scene/daylight.h"

#include <stddef.h>

/* Reads a file, or makes the sky of a day where the path's last part is one's name (core/scene/daylight.h).
 * Values of f32 pictures are light, those of others sRGB's encoding of it; alpha is not used. STATUS_INPUT with the
 * path if the file cannot be read, holds light that is not finite or beyond BRIGHTNESS_MAX, or takes more than `max`
 * bytes. STATUS_DEVICE if memory is short. */
Status sky_load(const char *path, size_t max, SkyImage *sky);
/* As sky_load, from texels at hand, which are taken over, also on failure. `name` is for messages. */
Status sky_create(const char *name, Vec *texels, size_t width, size_t height, SkyImage *sky);
/* The sky of a day, without its sun. STATUS_DEVICE if memory is short. */
Status sky_of_day(const Daylight *day, SkyImage *sky);
/* The bytes that a sky of this size takes. */
size_t sky_bytes(size_t width, size_t height);
void sky_free(SkyImage *sky); /* accepts a zeroed one */

#endif
