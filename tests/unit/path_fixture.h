/* path_fixture.h: the light along a ray in a scene of a few parts, of which every ray tries each. */
#ifndef GLINT_TESTS_UNIT_PATH_FIXTURE_H
#define GLINT_TESTS_UNIT_PATH_FIXTURE_H

#include "core/scene/shading_context.h"

#include "tests/check.h"

#include "core/math/film.h"
#include "core/scene/files/glint.h"

#include <stdlib.h>

struct World {
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    Hit hit = hit_start(ray);
    for (size_t i = 0; i < world->scene->count; i++)
        hit_offer_near(&hit, sphere_centre(&world->scene->spheres[i]), world->scene->spheres[i].radius, (uint32_t)i,
                       ray);
    for (size_t i = 0; i < world->scene->triangle_count; i++)
        hit_offer_triangle_near(&hit, &world->scene->triangles[i], (uint32_t)(world->scene->count + i), ray,
                                slant_of(ray.direction));
    for (size_t i = 0; i < world->scene->cylinder_count; i++)
        hit_offer_cylinder(&hit, &world->scene->cylinders[i],
                           (uint32_t)(world->scene->count + world->scene->triangle_count + i), ray);
    return hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    return world_closest_hit(world, ray).distance < distance;
}

/* The mean light that comes back along `ray`. */
static inline Vec light_along(const Scene *scene, Ray ray, uint32_t samples) {
    const World world = {scene};
    ShadingContext context;
    Vec sum = {0, 0, 0};
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    for (uint32_t i = 0; i < samples; i++)
        sum = vec_along(sum, 1 / (float)samples, path_radiance(&world, &context, ray, i, 7, DEPTH_ENDLESS));
    shading_context_free(&context);
    return sum;
}

static inline Scene *scene_of(const char *text) {
    Scene *scene;
    if (scene_parse("test", text, &scene) != STATUS_OK)
        fail_msg("%s", status_message());
    return scene;
}

static inline bool near(float a, float b, float within) {
    return fabsf(a - b) <= within;
}

typedef struct Estimate {
    double mean, error; /* red light; error: the standard deviation of the mean */
} Estimate;

/* Estimates the light along a ray, by so many paths. */
static inline Estimate estimate(const Scene *scene, Ray ray, uint32_t samples) {
    const World world = {scene};
    ShadingContext context;
    double mean = 0, squares = 0;
    assert_int_equal(shading_context_create(scene, &context), STATUS_OK);
    for (uint32_t i = 0; i < samples; i++) {
        const double light = (double)path_radiance(&world, &context, ray, i, 7, DEPTH_ENDLESS).x;
        mean += light / samples;
        squares += light * light / samples;
    }
    shading_context_free(&context);
    return (Estimate){mean, sqrt(fmax(squares - mean * mean, 0) / samples)};
}

#endif
