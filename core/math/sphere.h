/* sphere.h: spheres, and where lines of sight along z hit them.
 * Levels that trace nothing else decide in double precision where single precision cannot. */
#ifndef GLINT_CORE_MATH_SPHERE_H
#define GLINT_CORE_MATH_SPHERE_H

#include "core/math/ray.h"

/* World units; colours 0 to 1. The limits keep every square finite and normal in f32. */
typedef struct Sphere {
    float x, y, z;          /* within +-SPHERE_FARTHEST */
    float radius;           /* SPHERE_RADIUS_MIN to SPHERE_FARTHEST, or 0: never hit */
    float red, green, blue; /* 0 to 1 */
    uint32_t material;      /* in the scene's table; 0 is the plain one */
} Sphere;

#define SPHERE_FARTHEST   1e9f
#define SPHERE_RADIUS_MIN 1e-6f

GLINT_HD_READER(Sphere, sphere_read)

GLINT_HD Vec sphere_centre(const Sphere *sphere) {
    return vec(sphere->x, sphere->y, sphere->z);
}

/* In double precision: how far along the ray the sphere is hit, INFINITY if it is not, and in *root half the chord. */
GLINT_HD double sphere_distance(const Sphere *sphere, Ray ray, double *root) {
    const double dx = (double)ray.direction.x, dy = (double)ray.direction.y, dz = (double)ray.direction.z;
    const double x = (double)sphere->x - (double)ray.origin.x, y = (double)sphere->y - (double)ray.origin.y,
                 z = (double)sphere->z - (double)ray.origin.z, radius = (double)sphere->radius;
    const double square = dx * dx + dy * dy + dz * dz; /* 1, but for the rounding to f32 */
    const double along = (x * dx + y * dy + z * dz) / square;
    const double ax = x - along * dx, ay = y - along * dy, az = z - along * dz;
    const double discriminant = radius * radius - (ax * ax + ay * ay + az * az);
    if (!(discriminant > 0))
        return INFINITY;
    *root = sqrt(discriminant / square);
    const double distance = along - *root < (double)ray.t_min ? along + *root : along - *root;
    return distance < (double)ray.t_min ? INFINITY : distance;
}

/* ---- lines of sight along z ---- */

/* The z of the nearer point where the line of sight through (x, y) hits the sphere. *facing is the z of the unit normal
 * there (1 towards the camera, 0 at the outline). -INFINITY if it passes by. */
GLINT_HD double sphere_depth(const Sphere *sphere, float x, float y, double *facing) {
    const double dx = (double)x - (double)sphere->x, dy = (double)y - (double)sphere->y;
    const double radius = (double)sphere->radius;
    const double discriminant = fma(-dx, dx, fma(-dy, dy, radius * radius)); /* r^2 - d^2 */
    if (!(discriminant > 0))
        return -INFINITY;
    const double root = sqrt(discriminant);
    *facing = root / radius;
    return (double)sphere->z + root;
}

/* f32 decides every case that it surely can, f64 the rest, so that every level sees the reference's sphere in every
 * pixel.
 * With u = 2^-24, r^2 - d^2 is off by less than 6 u r^2, so beyond SPHERE_DOUBT r^2 its sign is sure. There its root is
 * off by less than 3 u r / sqrt(SPHERE_DOUBT) = 768 u r; sphere_slack() is more than that and the rounding of z. */
#define SPHERE_DOUBT 0x1p-16f

GLINT_HD float sphere_slack(const Sphere *sphere) {
    return 0x1p-14f * sphere->radius + 0x1p-22f * (fabsf(sphere->z) + sphere->radius);
}

#define SPHERE_NONE UINT32_MAX

/* The nearest sphere that a pixel has hit so far. */
typedef struct Nearest {
    float depth, slack; /* the true depth is within depth +- slack */
    float facing;
    uint32_t index; /* SPHERE_NONE: the background */
} Nearest;

GLINT_HD Nearest nearest_none(void) {
    const Nearest none = {-INFINITY, 0, 0, SPHERE_NONE};
    return none;
}

/* Decides in f64 whether sphere `index` is nearer than the nearest so far; of equals the first in the scene wins. */
GLINT_HD void nearest_decide(Nearest *nearest, const Sphere *spheres, uint32_t index, float x, float y) {
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
GLINT_HD void nearest_offer(Nearest *nearest, const Sphere *spheres, uint32_t index, float x, float y) {
    const Sphere *sphere = &spheres[index];
    const float dx = x - sphere->x, dy = y - sphere->y;
    const float square = sphere->radius * sphere->radius;
    const float discriminant = square - dx * dx - dy * dy;
    if (discriminant < -SPHERE_DOUBT * square)
        return;
    if (discriminant > SPHERE_DOUBT * square) {
        const float root = sqrtf(discriminant);
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
GLINT_HD unsigned char shade_u8(float colour, float facing) {
    const float value = 255.0f * colour * facing;
    return (unsigned char)rintf(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Writes a pixel of 3 or 4 channels; the background is black, alpha full. */
GLINT_HD void shade_pixel(const Sphere *spheres, const Nearest *nearest, int channels, unsigned char *pixel) {
    const int hit = nearest->index != SPHERE_NONE;
    const Sphere *sphere = &spheres[hit ? nearest->index : 0];
    pixel[0] = hit ? shade_u8(sphere->red, nearest->facing) : 0;
    pixel[1] = hit ? shade_u8(sphere->green, nearest->facing) : 0;
    pixel[2] = hit ? shade_u8(sphere->blue, nearest->facing) : 0;
    if (channels == 4)
        pixel[3] = 255;
}

#endif
