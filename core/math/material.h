/* material.h: the materials of surfaces. */
#ifndef GLINT_CORE_MATH_MATERIAL_H
#define GLINT_CORE_MATH_MATERIAL_H

#include "core/math/colour.h"
#include "core/math/host_device.h"

typedef enum MaterialKind {
    MATERIAL_DIFFUSE, /* scatters light, with Phong's highlights */
    MATERIAL_METAL,   /* besides mirrors the specular share of its surroundings, in its colour */
    MATERIAL_GLASS,   /* besides lets the transmittance through, refracted, and mirrors as Fresnel says */
    MATERIAL_LIGHT,   /* shines with its colour times the emission */
    MATERIAL_KINDS
} MaterialKind;

/* The colour is not here: spheres and triangles have one each. */
typedef struct Material {
    MaterialKind kind;
    float diffuse, specular; /* shares of the light, 0 to 1 */
    float phong_exponent;    /* Phong's exponent, 0 to MATERIAL_PHONG_EXPONENT_MAX */
    float roughness;         /* 0, a clean mirror, to 1; of glass 0 */
    float refraction;        /* the index, MATERIAL_REFRACTION_MIN to _MAX; 1 is the air's */
    float transmittance;     /* the share that goes through, 0 to 1 */
    float emission;          /* 0 to BRIGHTNESS_MAX */
} Material;

GLINT_HD_READER(Material, material_read)

#define MATERIAL_PHONG_EXPONENT_MAX 1e6f
#define MATERIAL_REFRACTION_MIN     0.1f
#define MATERIAL_REFRACTION_MAX     10.0f

/* Material 0 of every scene: nothing but the colour. */
GLINT_HD Material material_plain(void) {
    const Material plain = {MATERIAL_DIFFUSE, 1, 0, 0, 0, 1, 0, 0};
    return plain;
}

#endif
