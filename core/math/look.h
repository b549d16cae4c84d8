/* look.h: looks, the shading modes: the values that pixels show of their rays' hits. */
#ifndef GLINT_CORE_MATH_LOOK_H
#define GLINT_CORE_MATH_LOOK_H

#include "core/math/cylinder.h"
#include "core/math/triangle.h"

typedef enum Look {
    LOOK_CLASSIC,
    LOOK_NORMALS,
    LOOK_DEPTH,
    LOOK_SPHERES,
    LOOK_NODES,   /* how much work the BVH makes: a level's work, not the scene's look */
    LOOK_WHITTED, /* from here on looks of light (core/math/film.h) */
    LOOK_PATHS,
    LOOKS
} Look;

GLINT_HD int look_is_light(Look look) {
    return look >= LOOK_WHITTED;
}

/* The looks that show a ray's first hit. */
GLINT_HD int look_is_nearest(Look look) {
    return look <= LOOK_SPHERES;
}

GLINT_HD unsigned char byte_of(float value) {
    return (unsigned char)rintf(fminf(fmaxf(255.0f * value, 0.0f), 255.0f));
}

/* For the looks that show a ray's first hit. A pixel of 3 or 4 channels; `sphere` is the one that was hit. The
 * background is black, alpha full. classic: the course's, the colour, darker the more the surface turns away. normals:
 * x, y and z from -1 to 1 as 0 to 255. depth: brighter the nearer, at 500 world units along the ray half of it is left.
 * spheres: each in a colour of its own, up to 2^24 of them. An odd multiplier permutes them (Knuth, The Art of Computer
 * Programming, volume 3, section 6.4). */
GLINT_HD void look_pixel(Look look, const Sphere *sphere, Ray ray, Hit hit, int channels, unsigned char *pixel) {
    if (channels == 4)
        pixel[3] = 255;
    if (hit.index == HIT_NONE) {
        pixel[0] = pixel[1] = pixel[2] = 0;
    } else if (look == LOOK_CLASSIC) {
        const float facing = hit.root / sphere->radius;
        pixel[0] = byte_of(sphere->red * facing);
        pixel[1] = byte_of(sphere->green * facing);
        pixel[2] = byte_of(sphere->blue * facing);
    } else if (look == LOOK_NORMALS) {
        const Vec at = vec_along(ray.origin, hit.distance, ray.direction);
        const Vec normal = vec_times(vec_minus(at, sphere_centre(sphere)), 1.0f / sphere->radius);
        pixel[0] = byte_of(0.5f + 0.5f * normal.x);
        pixel[1] = byte_of(0.5f + 0.5f * normal.y);
        pixel[2] = byte_of(0.5f + 0.5f * normal.z);
    } else if (look == LOOK_DEPTH) {
        const float way = hit.distance / 500.0f;
        pixel[0] = pixel[1] = pixel[2] = byte_of(0.5f - 0.5f * way / (1.0f + fabsf(way)));
    } else {
        const uint32_t colour = (hit.index + 1) * 0x9E3779u;
        pixel[0] = (unsigned char)(colour >> 16);
        pixel[1] = (unsigned char)(colour >> 8);
        pixel[2] = (unsigned char)colour;
    }
}

/* For the look of nodes: black, blue, red, yellow and white for 1 to 1024 of them, by doubling (the palette of
 * gnuplot's pm3d). */
GLINT_HD void look_heat(uint64_t nodes, int channels, unsigned char *pixel) {
    const float heat = fminf(log2f(1.0f + (float)nodes) / 10.0f, 1.0f);
    pixel[0] = byte_of(sqrtf(heat));
    pixel[1] = byte_of(heat * heat * heat);
    pixel[2] = byte_of(fmaxf(sinf(6.2831853f * heat), heat * 8.0f - 7.0f));
    if (channels == 4)
        pixel[3] = 255;
}

/* The things that rays hit, in the order of their indices. */
typedef struct Primitives {
    const Sphere *spheres;
    const Triangle *triangles;
    const Cylinder *cylinders;
    uint32_t sphere_count, triangle_count;
} Primitives;

/* look_pixel of whatever was hit. A triangle or a cylinder is darker the more it turns away to either side, and shows
 * its normals as they are. */
GLINT_HD void look_hit(Look look, Primitives of, Ray ray, Hit hit, int channels, unsigned char *pixel) {
    if (look > LOOK_NORMALS || hit.index == HIT_NONE || hit.index < of.sphere_count) {
        look_pixel(look, of.spheres + (hit.index < of.sphere_count ? hit.index : 0), ray, hit, channels, pixel);
        return;
    }
    const uint32_t index = hit.index - of.sphere_count;
    Vec normal;
    Colour colour;
    if (index < of.triangle_count) {
        normal = triangle_facet(&of.triangles[index], ray).smooth;
        colour = of.triangles[index].colour;
    } else {
        const CylinderSpot spot = cylinder_spot(&of.cylinders[index - of.triangle_count], ray, hit.distance);
        normal = spot.normal;
        colour = spot.colour;
    }
    const float facing = fabsf(vec_dot(normal, ray.direction));
    const bool classic = look == LOOK_CLASSIC;
    pixel[0] = byte_of(classic ? colour.red * facing : 0.5f + 0.5f * normal.x);
    pixel[1] = byte_of(classic ? colour.green * facing : 0.5f + 0.5f * normal.y);
    pixel[2] = byte_of(classic ? colour.blue * facing : 0.5f + 0.5f * normal.z);
    if (channels == 4)
        pixel[3] = 255;
}

#endif
