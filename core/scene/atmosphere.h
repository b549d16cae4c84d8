/* atmosphere.h: sunlight in the air of the Earth, by wavelengths: the light of each direction, for an eye at any
 * height. Owns the model: air, haze and ozone in layers around a sphere. Light that is scattered once is summed along
 * each ray (T. Nishita et al., Display of the Earth Taking into Account Atmospheric Scattering, 1993). Light that is
 * scattered more often, by the ground too, is taken for even in all directions (S. Hillaire, A Scalable and Production
 * Ready Sky and Atmosphere Rendering Technique, 2020). Lengths are km, angles radians. Refraction and polarization are
 * left out. */
#ifndef GLINT_CORE_SCENE_ATMOSPHERE_H
#define GLINT_CORE_SCENE_ATMOSPHERE_H

#include "core/base/status.h"

#include <stdbool.h>

/* The air's spectrum is linear between these wavelengths, nm: 380, 400, ... 780. */
enum { AIR_FIRST = 380, AIR_STEP = 20, AIR_BANDS = 21 };

#define EARTH_RADIUS 6371.0  /* the mean (IUGG) */
#define AIR_HEIGHT   100.0   /* next to nothing is above */
#define SUN_RADIUS   0.00465 /* of the disc: 695700 km at 149.6e6 km */

typedef struct Atmosphere Atmosphere;

/* Turbidity is that of core/scene/daylight.h. The sun's altitude is its angle above the horizon of the sea, and may be
 * negative. Rays may begin at heights up to `height`. STATUS_DEVICE if memory is short; *made is freed by free(). */
Status atmosphere_create(double sun, double turbidity, double albedo, double height, Atmosphere **made);

/* The share of sunlight that reaches a height from a direction whose sine of altitude is `up`. It is less where the
 * horizon hides a part of the disc around that direction. */
void atmosphere_sunbeam(double height, double up, double turbidity, float share[AIR_BANDS]);

/* The light of a direction is, for sunlight of irradiance 1,
 *     air[k] atmosphere_air_lobe(near) + haze[k] atmosphere_haze_lobe(near) + rest[k],
 * `near` being the cosine of its angle from the sun. The three change slowly with the azimuth. */
typedef struct AirLight {
    float air[AIR_BANDS], haze[AIR_BANDS], rest[AIR_BANDS];
} AirLight;

/* `up` is the sine of the direction's altitude. Where the ray ends at the ground, its light is part of `rest`. */
AirLight atmosphere_light(const Atmosphere *air, double height, double up, double near);

/* How air and haze scatter, per unit of solid angle: J. W. Strutt (Lord Rayleigh), On the Light from the Sky, 1871; L.
 * Henyey and J. Greenstein, Diffuse Radiation in the Galaxy, 1941. */
double atmosphere_air_lobe(double near);
double atmosphere_haze_lobe(double near);

#endif
