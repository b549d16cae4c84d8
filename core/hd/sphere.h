/* sphere.h: spheres, the orthographic camera and the classic shading.
 * Owns the intersection arithmetic for every backend. */
#ifndef GLINT_CORE_HD_SPHERE_H
#define GLINT_CORE_HD_SPHERE_H

#include "core/hd/hd.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* World units; colours 0 to 1. The limits keep every square finite and normal in f32. */
typedef struct Sphere {
    float x, y, z;          /* within +-SPHERE_FARTHEST */
    float radius;           /* SPHERE_LEAST to SPHERE_FARTHEST, or 0: never hit */
    float red, green, blue; /* 0 to 1 */
} Sphere;

#define SPHERE_FARTHEST 1e9f
#define SPHERE_LEAST    1e-6f

/* Orthographic, looking down -z from infinity: the pixel (px, py) sees the line through
 * x = centre_x + (px - width / 2) * unit, y = centre_y - (py - height / 2) * unit. */
typedef struct Camera {
    float centre_x, centre_y; /* world units, at the picture's middle */
    float unit;               /* world units a pixel, > 0; the course's camera has 1 */
} Camera;

/* The f32 values that these return are where a pixel looks, for the f64 reference too; the multiply-add is spelled out
 * so that they are the same on every machine. */
HD float camera_x(Camera camera, size_t px, size_t width) {
    return fmaf((float)px - (float)(width / 2), camera.unit, camera.centre_x);
}
HD float camera_y(Camera camera, size_t py, size_t height) {
    return fmaf((float)(height / 2) - (float)py, camera.unit, camera.centre_y);
}

/* Where the line of sight through (x, y) meets the sphere: the z of the nearer point, and in *facing the z of the unit
 * normal there (1 towards the camera, 0 at the outline). -INFINITY if it passes by. */
HD double sphere_depth(const Sphere *sphere, float x, float y, double *facing) {
    const double dx = (double)x - (double)sphere->x, dy = (double)y - (double)sphere->y;
    const double radius = (double)sphere->radius;
    const double room = fma(-dx, dx, fma(-dy, dy, radius * radius)); /* r^2 - d^2 */
    if (!(room > 0))
        return -INFINITY;
    const double root = sqrt(room);
    *facing = root / radius;
    return (double)sphere->z + root;
}

/* f32 decides what it surely can, f64 the rest, so that every level sees the reference's sphere in every pixel.
 * With u = 2^-24: r^2 - d^2 is off by less than 6 u r^2, so beyond SPHERE_DOUBT r^2 its sign is sure, and there its
 * root is off by less than 3 u r / sqrt(SPHERE_DOUBT) = 768 u r; sphere_slack() is more than that and the rounding of
 * z. */
#define SPHERE_DOUBT 0x1p-16f

HD float sphere_slack(const Sphere *sphere) {
    return 0x1p-14f * sphere->radius + 0x1p-22f * (fabsf(sphere->z) + sphere->radius);
}

#define SPHERE_NONE UINT32_MAX

/* The nearest sphere that a pixel has met so far. */
typedef struct Nearest {
    float depth, slack; /* the true depth is within depth +- slack */
    float facing;
    uint32_t index; /* SPHERE_NONE: the background */
} Nearest;

HD Nearest nearest_none(void) {
    const Nearest none = {-INFINITY, 0, 0, SPHERE_NONE};
    return none;
}

/* Decides in f64 whether sphere `index` is nearer than the nearest so far; of equals the first in the scene wins. */
HD void nearest_decide(Nearest *nearest, const Sphere *spheres, uint32_t index, float x, float y) {
    double facing = 0, other = 0;
    const double depth = sphere_depth(&spheres[index], x, y, &facing);
    const double best =
        nearest->index == SPHERE_NONE ? -INFINITY : sphere_depth(&spheres[nearest->index], x, y, &other);
    if (depth > best || (depth == best && index < nearest->index && depth > -INFINITY)) {
        const Nearest found = {(float)depth, sphere_slack(&spheres[index]), (float)facing, index};
        *nearest = found;
    }
}

/* Takes sphere `index` if it is nearer at (x, y). The spheres may come in any order. */
HD void nearest_offer(Nearest *nearest, const Sphere *spheres, uint32_t index, float x, float y) {
    const Sphere *sphere = &spheres[index];
    const float dx = x - sphere->x, dy = y - sphere->y;
    const float square = sphere->radius * sphere->radius;
    const float room = square - dx * dx - dy * dy;
    if (room < -SPHERE_DOUBT * square)
        return;
    if (room > SPHERE_DOUBT * square) {
        const float root = sqrtf(room);
        const Nearest found = {sphere->z + root, sphere_slack(sphere), root / sphere->radius, index};
        const float lead = found.depth - nearest->depth, slack = found.slack + nearest->slack;
        if (lead > slack)
            *nearest = found;
        if (lead > slack || lead < -slack)
            return;
    }
    nearest_decide(nearest, spheres, index, x, y);
}

/* Classic shading: the colour, darker the more the surface turns away. */
HD unsigned char shade_u8(float colour, float facing) {
    const float value = 255.0f * colour * facing;
    return (unsigned char)rintf(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Writes a pixel of 3 or 4 channels; the background is black, alpha full. */
HD void shade_pixel(const Sphere *spheres, const Nearest *nearest, int channels, unsigned char *pixel) {
    const int hit = nearest->index != SPHERE_NONE;
    const Sphere *sphere = &spheres[hit ? nearest->index : 0];
    pixel[0] = hit ? shade_u8(sphere->red, nearest->facing) : 0;
    pixel[1] = hit ? shade_u8(sphere->green, nearest->facing) : 0;
    pixel[2] = hit ? shade_u8(sphere->blue, nearest->facing) : 0;
    if (channels == 4)
        pixel[3] = 255;
}

#endif
