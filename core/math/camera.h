/* camera.h: cameras, and the rays of their pixels. */
#ifndef GLINT_CORE_MATH_CAMERA_H
#define GLINT_CORE_MATH_CAMERA_H

#include "core/math/pcg.h"
#include "core/math/ray.h"

#include <stddef.h>

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
    /* Random rays, for measuring, pixel after pixel from PCG32. Origins are uniform in a cube around the world's;
     * directions are uniform in another, then made as long as 1. */
    float side; /* of the cube */
    uint32_t seed;
} Camera;

/* Orthographic: where a pixel looks, the same on every machine. No side of a picture exceeds 2^31, and GPUs convert 32
 * bits faster than 64. */
GLINT_HD float camera_x(Camera camera, size_t px, size_t width) {
    return fmaf((float)(uint32_t)px - (float)(uint32_t)(width / 2), camera.unit, camera.centre_x);
}
GLINT_HD float camera_y(Camera camera, size_t py, size_t height) {
    return fmaf((float)(uint32_t)(height / 2) - (float)(uint32_t)py, camera.unit, camera.centre_y);
}

GLINT_HD Ray camera_ray_random(Camera camera, size_t pixel) {
    Pcg pcg = pcg_seed(camera.seed, pixel);
    Ray ray = ray_from(vec(0, 0, 0), vec(0, 0, 0));
    float *parts[] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z,
                      &ray.direction.x, &ray.direction.y, &ray.direction.z};
    for (int i = 0; i < 6; i++)
        *parts[i] = (pcg_float(&pcg) - 0.5f + 0x1p-25f) * (i < 3 ? camera.side : 1.0f); /* never all 0 */
    ray.direction = vec_unit(ray.direction);
    return ray;
}

/* Perspective: how long a pixel is at the distance 1. */
GLINT_HD float camera_pixel(Camera camera, size_t height) {
    return 2.0f * camera.tangent / (float)(uint32_t)height;
}

/* camera_ray_at, with camera_pixel() of the camera, which is a division. */
GLINT_HD Ray camera_ray_by(Camera camera, float pixel, size_t px, size_t py, float x, float y, size_t width,
                           size_t height) {
    if (camera.kind == CAMERA_RANDOM)
        return camera_ray_random(camera, (uint64_t)py * width + px);
    if (camera.kind == CAMERA_ORTHOGRAPHIC) {
        const Vec origin = vec(times_plus(x, camera.unit, camera_x(camera, px, width)),
                               times_plus(-y, camera.unit, camera_y(camera, py, height)), 0);
        Ray ray = ray_from(origin, vec(0, 0, -1));
        ray.t_min = -INFINITY;
        return ray;
    }
    const float wide = (float)(uint32_t)width, high = (float)(uint32_t)height;
    const float across = ((float)(uint32_t)px + 0.5f - 0.5f * wide + x) * pixel;
    const float upward = (0.5f * high - (float)(uint32_t)py - 0.5f - y) * pixel;
    return ray_from(camera.from,
                    vec_unit(vec_along(vec_along(camera.forward, across, camera.right), upward, camera.up)));
}

/* The ray through the point `x` pixels to the right of the pixel's middle and `y` below. */
GLINT_HD Ray camera_ray_at(Camera camera, size_t px, size_t py, float x, float y, size_t width, size_t height) {
    return camera_ray_by(camera, camera_pixel(camera, height), px, py, x, y, width, height);
}

GLINT_HD Ray camera_ray(Camera camera, size_t px, size_t py, size_t width, size_t height) {
    return camera_ray_at(camera, px, py, 0, 0, width, height);
}

#endif
