/* light.h: a scene's lights besides materials that shine and the sky. */
#ifndef GLINT_CORE_MATH_LIGHT_H
#define GLINT_CORE_MATH_LIGHT_H

#include "core/math/colour.h"
#include "core/math/vec.h"

typedef enum LightKind {
    LIGHT_POINT,
    LIGHT_SUN,
    LIGHT_STEADY, /* a point whose light does not fade with the distance, as NFF has them */
    LIGHT_KINDS
} LightKind;

typedef struct Light {
    LightKind kind;
    Vec at;        /* a point's position; sun: the way towards it, of any length but 0 */
    Colour colour; /* times its intensity: 0 to BRIGHTNESS_MAX */
    float angle;   /* sun: that it fills, in degrees, 0 (a point far away) to SUN_ANGLE_MAX */
} Light;

#define SUN_ANGLE_DEFAULT 0.53f /* the sun's, seen from the earth */
#define SUN_ANGLE_MAX     90.0f

#endif
