/* daylight.h: the sun and the clear sky of a day, as light for scenes.
 * Owns how texts name it, and its colours. It gives the sky of core/scene/atmosphere.h as an image and the sun as a
 * light. */
#ifndef GLINT_CORE_SCENE_DAYLIGHT_H
#define GLINT_CORE_SCENE_DAYLIGHT_H

#include "core/base/status.h"
#include "core/math/light.h"
#include "core/math/vec.h"

#include <stdbool.h>

/* A radiance of 1 is that of a white surface which 100 klx fall on: 31.8 kcd / m2. */
typedef struct Daylight {
    float altitude;  /* of the sun above the horizon, degrees, DAYLIGHT_LOWEST to 90; below 0 is twilight */
    float turbidity; /* of the air: 2 is clear, 6 hazy; 2 to 10 */
    float albedo;    /* of the ground below the horizon, 0 to 1 */
    float height;    /* of the eye above the ground, which is at the sea's level, in m: 0 to DAYLIGHT_HIGHEST */
} Daylight;

#define DAYLIGHT_LOWEST  (-18.0) /* the end of astronomical twilight */
#define DAYLIGHT_HIGHEST 60000.0

enum { DAYLIGHT_WIDTH = 512, DAYLIGHT_HEIGHT = 256, DAYLIGHT_NAME = 128 };

/* The sun at an azimuth in degrees: 0 is -z, 90 is +x. It has the light of the part of its disc above the horizon. */
Light daylight_sun(const Daylight *day, double azimuth);
/* Makes the texels of the sky's image, DAYLIGHT_WIDTH x DAYLIGHT_HEIGHT, to be freed; without the sun, which stands
 * above its middle. Below the horizon is ground, lit by both. STATUS_DEVICE if memory is short. */
Status daylight_texels(const Daylight *day, Vec **texels);

/* Scenes name such a sky in place of an image's file: "day=altitude=20:turbidity=3". *is: whether the name is one.
 * STATUS_INPUT if its parameters are wrong. */
Status daylight_parse(const char *name, bool *is, Daylight *day);
void daylight_name(const Daylight *day, char name[DAYLIGHT_NAME]);

#endif
