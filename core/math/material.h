/* material.h: what surfaces are made of, and what is around them.
 * Owns the data of materials, triangles, lights, the ground and the sky; core/scene.h says which of them a scene has.
 */
#ifndef GLINT_CORE_MATH_MATERIAL_H
#define GLINT_CORE_MATH_MATERIAL_H

#include "core/math/ray.h"

typedef struct Colour {
    float red, green, blue;
} Colour;

typedef enum MaterialKind {
    MATERIAL_DIFFUSE, /* scatters light, with Phong's highlights */
    MATERIAL_METAL,   /* besides mirrors the specular share of what is around, in its colour */
    MATERIAL_GLASS,   /* besides lets the transmittance through, refracted, and mirrors as Fresnel says */
    MATERIAL_LIGHT,   /* shines with its colour times the emission */
    MATERIAL_KINDS
} MaterialKind;

/* The colour is not here: spheres and triangles have one each. */
typedef struct Material {
    MaterialKind kind;
    float diffuse, specular; /* shares of the light, 0 to 1 */
    float phong_exponent;    /* Phong's exponent, 0 to MATERIAL_PHONG_EXPONENT_MAX */
    float roughness;         /* 0, a clean mirror, to 1 */
    float refraction;        /* the index, MATERIAL_REFRACTION_MIN to _MAX; 1 is the air's */
    float transmittance;     /* the share that goes through, 0 to 1 */
    float emission;          /* 0 to BRIGHTNESS_MAX */
} Material;

GLINT_HD_READER(Material, material_read)

#define MATERIAL_PHONG_EXPONENT_MAX 1e6f
#define MATERIAL_REFRACTION_MIN     0.1f
#define MATERIAL_REFRACTION_MAX     10.0f
#define BRIGHTNESS_MAX              1e9f

/* What material 0 of every scene is: nothing but the colour. */
GLINT_HD Material material_plain(void) {
    const Material plain = {MATERIAL_DIFFUSE, 1, 0, 0, 0, 1, 0, 0};
    return plain;
}

/* Points within +-SPHERE_FARTHEST. A triangle of no area is never seen. */
typedef struct Triangle {
    Vec points[3];
    Vec normals[3];    /* at the points, of any length but 0; all 0 where it is not smooth */
    Colour colour;     /* 0 to 1 */
    uint32_t smooth;   /* 1: its normals are used */
    uint32_t material; /* in the scene's table */
} Triangle;

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

/* A plane y = height with a chequer. */
typedef struct Ground {
    float height;
    float side;        /* of a square of the chequer, SPHERE_RADIUS_MIN to SPHERE_FARTHEST */
    Colour even, odd;  /* 0 to 1; the square from (0, 0) to (side, side) in x and z is even */
    uint32_t material; /* in the scene's table */
} Ground;

typedef enum SkyKind { SKY_NONE, SKY_GRADIENT, SKY_IMAGE, SKY_KINDS } SkyKind;

typedef struct Sky {
    SkyKind kind;           /* image: scene_sky_path tells its file */
    Colour horizon, zenith; /* gradient: where rays run level or downwards, and straight up; 0 to BRIGHTNESS_MAX */
} Sky;

#endif
