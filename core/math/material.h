/* material.h: the materials of surfaces. */
#ifndef GLINT_CORE_MATH_MATERIAL_H
#define GLINT_CORE_MATH_MATERIAL_H

#include "core/math/colour.h"
#include "core/math/host_device.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum MaterialKind {
    MATERIAL_DIFFUSE, /* scatters light, with Phong's highlights */
    MATERIAL_METAL,   /* besides mirrors the specular share of its surroundings, in its colour */
    MATERIAL_GLASS,   /* besides lets the transmittance through, refracted, and mirrors as Fresnel says */
    MATERIAL_LIGHT,   /* shines with its colour times the emission */
    MATERIAL_KINDS
} MaterialKind;

/* The colour is not here: primitives have their own. */
typedef struct Material {
    MaterialKind kind;
    float diffuse, specular; /* shares of the light, 0 to 1 */
    float phong_exponent;    /* Phong's exponent, 0 to MATERIAL_PHONG_EXPONENT_MAX */
    float roughness;         /* of metal and glass: 0, clean, to 1 */
    float refraction;        /* the index, MATERIAL_REFRACTION_MIN to _MAX; 1 is the air's */
    float transmittance;     /* the share that goes through, 0 to 1 */
    float emission;          /* 0 to BRIGHTNESS_MAX */
    float coat;              /* the share of a diffuse surface or metal that lacquer covers, 0 to 1 */
    float coat_roughness;    /* 0 to 1 */
    float film;              /* nm of a clear film on metal and glass, 0: none, to MATERIAL_FILM_MAX */
    float film_refraction;   /* its index, MATERIAL_FILM_REFRACTION_MIN to _MAX; 0 without a film */
    /* Where its rows of ShadingContext.albedos begin: core/scene/albedos.c sets them, and scenes have 0. */
    uint32_t albedos, coat_albedos, film_rows;
    uint32_t unused; /* 0; the size is a multiple of 16 bytes (GLINT_HD_READER) */
} Material;

GLINT_HD_READER(Material, material_read)

/* Surfaces that are smoother mirror, or refract, in one direction. They find what shines by chance, and points, which
 * have no size, not at all. */
#define MATERIAL_ROUGH 0.03f

#define MATERIAL_PHONG_EXPONENT_MAX 1e6f
#define MATERIAL_REFRACTION_MIN     0.1f
#define MATERIAL_REFRACTION_MAX     10.0f

/* The share that lacquer of index 1.5 mirrors straight on. */
#define MATERIAL_COAT_MIRRORS 0.04f

/* Thicker films than 2 micrometres show no colours that an eye tells apart. An index below the air's would mirror all
 * of the light at grazing angles. */
#define MATERIAL_FILM_MAX                2000.0f
#define MATERIAL_FILM_REFRACTION_MIN     1.0f
#define MATERIAL_FILM_REFRACTION_DEFAULT 1.33f
#define MATERIAL_FILM_REFRACTION_MAX     4.0f

/* Material 0 of every scene: nothing but the colour. */
GLINT_HD Material material_plain(void) {
    const Material plain = {MATERIAL_DIFFUSE, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return plain;
}

/* Whether facets of the glass refract. Glass with the index of its surroundings does not bend light. */
GLINT_HD bool material_is_rough_glass(const Material *material) {
    return material->kind == MATERIAL_GLASS && material->roughness >= MATERIAL_ROUGH &&
           (material->refraction > 1.001f || material->refraction < 0.999f);
}

/* Whether lacquer lies on the material. */
GLINT_HD bool material_is_coated(const Material *material) {
    return material->coat > 0 && (material->kind == MATERIAL_DIFFUSE || material->kind == MATERIAL_METAL);
}

/* Whether a thin film lies on the material. */
GLINT_HD bool material_is_filmed(const Material *material) {
    return material->film > 0 && (material->kind == MATERIAL_METAL || material->kind == MATERIAL_GLASS);
}

#endif
