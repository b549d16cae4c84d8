/* film.h: the light that a pixel sees, gathered sample by sample.
 * A pixel holds a sum and how many samples are in it: more can be added at any time, in parts of any size. Equal
 * samples in equal order give equal bits. */
#ifndef GLINT_CORE_MATH_FILM_H
#define GLINT_CORE_MATH_FILM_H

#include "core/math/camera.h"
#include "core/math/look.h"
#include "core/math/path.h"
#include "core/math/whitted.h"

/* A pixel of the gathered light: as stored, four floats. */
typedef struct FilmPixel {
    float red, green, blue, samples;
} FilmPixel;

/* From another point of the lens, through the point where the ray hits the plane in focus. */
GLINT_HD Ray ray_through_lens(Camera camera, Ray ray, uint32_t sample, uint32_t seed) {
    float u, v;
    sampler_point(sample, seed, &u, &v);
    const float radius = camera.lens * sqrtf(u);
    float x, y;
    circle_point(v, &x, &y);
    const Vec sharp = vec_along(ray.origin, camera.focus / vec_dot(ray.direction, camera.forward), ray.direction);
    ray.origin = vec_along(vec_along(ray.origin, radius * x, camera.right), radius * y, camera.up);
    ray.direction = vec_unit(vec_minus(sharp, ray.origin));
    return ray;
}

/* Each sample goes through another point of the pixel, Whitted's first one through its middle and the lens's. */
GLINT_HD Ray film_ray(Camera camera, Look look, size_t px, size_t py, size_t width, size_t height, uint32_t sample,
                      uint32_t seed) {
    float x = 0.5f, y = 0.5f;
    const bool middle = look == LOOK_WHITTED && sample == 0;
    if (!middle)
        sampler_point(sample, sampler_hash(seed, 0x51u), &x, &y);
    const Ray ray = camera_ray_at(camera, px, py, x - 0.5f, y - 0.5f, width, height);
    return camera.lens > 0 && !middle ? ray_through_lens(camera, ray, sample, sampler_hash(seed, 0x52u)) : ray;
}

/* Adds to the pixel's gathered light; begins again where the first sample is number 0. For the looks of light; `rich`
 * as for path_step. The next path begins in the step after the one in which the last has ended. On GPUs pixels take
 * their steps together, and none waits for the longest path. */
GLINT_HD void film_accumulate(const World *world, const ShadingContext *context, Camera camera, Look look, bool rich,
                              Sampling sampling, size_t px, size_t py, size_t width, size_t height, FilmPixel *pixel) {
    const uint32_t own = sampler_hash(sampler_hash(sampling.seed, (uint32_t)px), (uint32_t)py);
    const uint32_t end = sampling.first + sampling.samples;
    const FilmPixel none = {0, 0, 0, 0}, before = sampling.first > 0 ? *pixel : none;
    Vec sum = vec(before.red, before.green, before.blue);
    PathState path;
    bool begins = true;
    for (uint32_t sample = sampling.first; sample < end; sample += begins) {
        if (begins) {
            uint32_t x = (uint32_t)px, y = (uint32_t)py, seed = own;
#ifdef GLINT_ON_DEVICE
            asm volatile("" : "+r"(x), "+r"(y), "+r"(seed)); /* else registers keep values that follow from them */
#endif
            path = path_from(film_ray(camera, look, x, y, width, height, sample, seed));
            RAY_COUNT(world, CAMERA_RAYS);
        }
        if (look == LOOK_WHITTED)
            path.radiance = whitted_radiance(world, context, path.ray, sampling.depth);
        begins = look == LOOK_WHITTED || !path_step(world, context, &path, sample, own, sampling.depth, rich);
        if (begins)
            sum = vec_along(sum, 1, path.radiance);
    }
    const FilmPixel all = {sum.x, sum.y, sum.z, (sampling.first > 0 ? pixel->samples : 0) + (float)sampling.samples};
    *pixel = all;
}

#endif
