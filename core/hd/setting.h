/* setting.h: what is around rays, as arrays that a device can hold. */
#ifndef GLINT_CORE_HD_SETTING_H
#define GLINT_CORE_HD_SETTING_H

#include "core/hd/material.h"
#include "core/hd/sky.h"
#include "core/hd/triangle.h"

/* What a scene has besides the way in which rays meet it. Colours are Vecs here: x is red, y green, z blue. */
typedef struct Setting {
    const Sphere *spheres;
    const Triangle *triangles;
    uint32_t sphere_count; /* a hit's index from there on is a triangle's */
    const Material *materials;
    const Light *lights;
    const uint32_t *shining; /* the spheres that are lights */
    uint32_t light_count, shining_count;
    uint32_t has_ground;
    Ground ground;
    Sky sky;
    SkyImage image; /* that the sky is, if it is one */
} Setting;

#endif
