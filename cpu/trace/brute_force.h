/* brute_force.h: the world as a list: every ray against everything in the scene. */
#ifndef GLINT_CPU_TRACE_BRUTE_FORCE_H
#define GLINT_CPU_TRACE_BRUTE_FORCE_H

#include "core/scene/shading_context.h"
#include "cpu/trace/shade_pixel.h"

struct World {
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    const Scene *scene = world->scene;
    const Slant slant = slant_of(ray.direction);
    Hit hit = hit_start(ray);
    for (size_t i = 0; i < scene->count; i++)
        hit_offer_near(&hit, sphere_centre(&scene->spheres[i]), scene->spheres[i].radius, (uint32_t)i, ray);
    for (size_t i = 0; i < scene->triangle_count; i++)
        hit_offer_triangle_near(&hit, &scene->triangles[i], (uint32_t)(scene->count + i), ray, slant);
    for (size_t i = 0; i < scene->cylinder_count; i++)
        hit_offer_cylinder(&hit, &scene->cylinders[i], (uint32_t)(scene->count + scene->triangle_count + i), ray);
    return hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    const Scene *scene = world->scene;
    const Slant slant = slant_of(ray.direction);
    Hit hit = hit_none();
    for (size_t i = 0; i < scene->count && !(hit.distance < distance); i++)
        hit_offer_near(&hit, sphere_centre(&scene->spheres[i]), scene->spheres[i].radius, (uint32_t)i, ray);
    for (size_t i = 0; i < scene->triangle_count && !(hit.distance < distance); i++)
        hit_offer_triangle_near(&hit, &scene->triangles[i], (uint32_t)(scene->count + i), ray, slant);
    for (size_t i = 0; i < scene->cylinder_count && !(hit.distance < distance); i++)
        hit_offer_cylinder(&hit, &scene->cylinders[i], (uint32_t)(scene->count + scene->triangle_count + i), ray);
    return hit.distance < distance;
}

#endif
