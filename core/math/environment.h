/* environment.h: the surroundings of a scene's objects: the ground and the sky. */
#ifndef GLINT_CORE_MATH_ENVIRONMENT_H
#define GLINT_CORE_MATH_ENVIRONMENT_H

#include "core/math/colour.h"

#include <stdint.h>

/* A plane y = height with a chequer. */
typedef struct Ground {
    float height;
    float side;        /* of a square of the chequer, SPHERE_RADIUS_MIN to SPHERE_FARTHEST */
    Colour even, odd;  /* 0 to 1; the square from (0, 0) to (side, side) in x and z is even */
    uint32_t material; /* in the scene's table */
} Ground;

#define SKY_AZIMUTH_MAX 360.0 /* degrees */

typedef enum SkyKind { SKY_NONE, SKY_GRADIENT, SKY_IMAGE, SKY_KINDS } SkyKind;

typedef struct Sky {
    SkyKind kind;           /* image: scene_sky_path tells its file */
    Colour horizon, zenith; /* gradient: where rays run level or downwards, and straight up; 0 to BRIGHTNESS_MAX */
    float azimuth;          /* image: where its middle is, degrees: 0 is -z, 90 is +x */
} Sky;

#endif
