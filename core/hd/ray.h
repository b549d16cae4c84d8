/* ray.h: cameras, rays, and where they meet spheres.
 * Owns what a pixel looks along and the nearest of what it meets, for every backend. */
#ifndef GLINT_CORE_HD_RAY_H
#define GLINT_CORE_HD_RAY_H

#include "core/hd/pcg.h"

#include <math.h>
#include <stddef.h>

#define PI_F 3.14159265358979323846f

typedef struct Vec {
    float x, y, z;
} Vec;

/* a * b + c: in one instruction where that is sure to exist. The C library's fmaf is a function call of a hundred
 * cycles on processors that the compiler does not know to have it. */
HD float times_plus(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

HD Vec vec(float x, float y, float z) {
    const Vec v = {x, y, z};
    return v;
}
HD Vec vec_minus(Vec a, Vec b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
HD Vec vec_times(Vec a, float s) {
    return vec(a.x * s, a.y * s, a.z * s);
}
/* a + s * b */
HD Vec vec_along(Vec a, float s, Vec b) {
    return vec(times_plus(s, b.x, a.x), times_plus(s, b.y, a.y), times_plus(s, b.z, a.z));
}
HD float vec_dot(Vec a, Vec b) {
    return times_plus(a.x, b.x, times_plus(a.y, b.y, a.z * b.z));
}
HD Vec vec_cross(Vec a, Vec b) {
    return vec(times_plus(a.y, b.z, -(a.z * b.y)), times_plus(a.z, b.x, -(a.x * b.z)),
               times_plus(a.x, b.y, -(a.y * b.x)));
}
/* sqrt(a) and its reciprocal for a > 0; on GPUs off by two units in the last place at most, which costs a sixth. */
HD float root_of(float a) {
#ifdef __CUDA_ARCH__
    return a * rsqrtf(a);
#else
    return sqrtf(a);
#endif
}
HD float inverse_root_of(float a) {
#ifdef __CUDA_ARCH__
    return rsqrtf(a);
#else
    return 1.0f / sqrtf(a);
#endif
}
HD Vec vec_unit(Vec a) {
    return vec_times(a, inverse_root_of(vec_dot(a, a)));
}

typedef enum CameraKind { CAMERA_ORTHOGRAPHIC, CAMERA_PERSPECTIVE, CAMERA_RANDOM } CameraKind;

/* Coordinates are the world's; y is up. */
typedef struct Camera {
    CameraKind kind;
    /* Orthographic, looking down -z from infinity: the pixel (px, py) sees the line through
     * x = centre_x + (px - width / 2) * unit, y = centre_y - (py - height / 2) * unit. */
    float centre_x, centre_y; /* at the picture's middle */
    float unit;               /* world units a pixel, > 0; the course's camera has 1 */
    /* Perspective: the middles of pixels, from a point. */
    Vec from, right, up, forward; /* the latter three at right angles and of length 1 */
    float tangent;                /* of half the angle that the picture's height takes */
    float lens, focus; /* for paths: the radius of a thin lens, 0 for a pinhole, and how far ahead all is sharp */
    /* Random, for measuring: origins uniform in a cube around the world's, directions uniform in another, then made as
     * long as 1; pixel after pixel from PCG32. */
    float side; /* of the cube */
    uint32_t seed;
} Camera;

/* Orthographic: where a pixel looks, the same on every machine. No side of a picture exceeds 2^31, and GPUs convert 32
 * bits faster than 64. */
HD float camera_x(Camera camera, size_t px, size_t width) {
    return fmaf((float)(uint32_t)px - (float)(uint32_t)(width / 2), camera.unit, camera.centre_x);
}
HD float camera_y(Camera camera, size_t py, size_t height) {
    return fmaf((float)(uint32_t)(height / 2) - (float)(uint32_t)py, camera.unit, camera.centre_y);
}

typedef struct Ray {
    Vec origin, direction; /* the direction has length 1 */
    float least;           /* what lies before origin + least * direction is not seen */
} Ray;

HD Ray camera_ray_random(Camera camera, size_t pixel) {
    Pcg pcg = pcg_seed(camera.seed, pixel);
    Ray ray;
    float *parts[] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                      &ray.direction.x, &ray.direction.y, &ray.direction.z};
    for (int i = 0; i < 6; i++)
        *parts[i] = (pcg_float(&pcg) - 0.5f + 0x1p-25f) * (i < 3 ? camera.side : 1.0f); /* never all 0 */
    ray.direction = vec_unit(ray.direction);
    ray.least = 0;
    return ray;
}

/* Perspective: how long a pixel is at the distance 1. */
HD float camera_pixel(Camera camera, size_t height) {
    return 2.0f * camera.tangent / (float)(uint32_t)height;
}

/* camera_ray_at, with camera_pixel() of the camera, which is a division. */
HD Ray camera_ray_by(Camera camera, float pixel, size_t px, size_t py, float x, float y, size_t width, size_t height) {
    Ray ray;
    if (camera.kind == CAMERA_RANDOM)
        return camera_ray_random(camera, (uint64_t)py * width + px);
    if (camera.kind == CAMERA_ORTHOGRAPHIC) {
        ray.origin = vec(times_plus(x, camera.unit, camera_x(camera, px, width)),
                         times_plus(-y, camera.unit, camera_y(camera, py, height)), 0);
        ray.direction = vec(0, 0, -1);
        ray.least = -INFINITY;
    } else {
        const float wide = (float)(uint32_t)width, high = (float)(uint32_t)height;
        const float across = ((float)(uint32_t)px + 0.5f - 0.5f * wide + x) * pixel;
        const float upward = (0.5f * high - (float)(uint32_t)py - 0.5f - y) * pixel;
        ray.origin = camera.from;
        ray.direction = vec_unit(vec_along(vec_along(camera.forward, across, camera.right), upward, camera.up));
        ray.least = 0;
    }
    return ray;
}

/* What the pixel looks along, or what the point `x` pixels to the right of its middle and `y` below does. */
HD Ray camera_ray_at(Camera camera, size_t px, size_t py, float x, float y, size_t width, size_t height) {
    return camera_ray_by(camera, camera_pixel(camera, height), px, py, x, y, width, height);
}

HD Ray camera_ray(Camera camera, size_t px, size_t py, size_t width, size_t height) {
    return camera_ray_at(camera, px, py, 0, 0, width, height);
}

#define HIT_NONE UINT32_MAX

/* The nearest sphere that a ray has met so far. */
typedef struct Hit {
    float distance; /* along the ray */
    float root;     /* half the chord: |cosine of the angle between normal and ray| * radius */
    uint32_t index; /* HIT_NONE: the background */
} Hit;

HD Hit hit_none(void) {
    const Hit none = {INFINITY, 0, HIT_NONE};
    return none;
}

/* How the ray passes a sphere, by the component of the way to its centre that is perpendicular to the ray: no
 * cancellation for small or distant spheres (Haines, Guenther and Akenine-Moeller, Precision Improvements for
 * Ray/Sphere Intersection, Ray Tracing Gems, chapter 7, 2019). */
typedef struct Passing {
    float along; /* to where the ray is nearest to the centre */
    float room;  /* radius^2 less the square of the distance there; negative: it passes by */
} Passing;

HD Passing sphere_pass(Vec centre, float radius, Ray ray) {
    const Vec to = vec_minus(centre, ray.origin);
    const float along = vec_dot(to, ray.direction);
    const Vec aside = vec_along(to, -along, ray.direction);
    const Passing passing = {along, times_plus(radius, radius, -vec_dot(aside, aside))};
    return passing;
}

/* Takes the sphere if the ray meets it nearer than what it has met; of equals the first in the scene wins, whatever
 * the order in which they come. Spheres of radius 0 are never met. */
HD void hit_offer(Hit *hit, Vec centre, float radius, uint32_t index, Ray ray) {
    const Passing passing = sphere_pass(centre, radius, ray);
    if (!(passing.room > 0))
        return;
    const float root = root_of(passing.room);
    float distance = passing.along - root;
    if (distance < ray.least)
        distance = passing.along + root; /* from within */
    if (distance < ray.least || distance > hit->distance || (distance == hit->distance && index > hit->index))
        return;
    hit->distance = distance;
    hit->root = root;
    hit->index = index;
}

#endif
