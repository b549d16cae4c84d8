/* setting.h: what is around rays, as arrays that a device can hold. */
#ifndef GLINT_CORE_HD_SETTING_H
#define GLINT_CORE_HD_SETTING_H

#include "core/hd/material.h"
#include "core/hd/sphere.h"

/* What a scene has besides the shape of its spheres. Colours are Vecs here: x is red, y green, z blue. */
typedef struct Setting {
    const Sphere *spheres;
    const Material *materials;
    const Light *lights;
    const uint32_t *shining; /* the spheres that are lights */
    uint32_t light_count, shining_count;
    uint32_t has_ground;
    Ground ground;
    Sky sky;
} Setting;

/* Light as a value of sRGB, 0 to 1: filmic (Narkowicz, ACES Filmic Tone Mapping Curve, 2015), then encoded. */
HD float path_tone(float light) {
    const float x = fmaxf(light, 0);
    const float film = fminf(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 1.0f);
    return film <= 0.0031308f ? 12.92f * film : 1.055f * powf(film, 1 / 2.4f) - 0.055f;
}

#endif
