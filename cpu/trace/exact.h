/* exact.h: the world in double precision: the nearest sphere or triangle on a ray, the first of equals. */
#ifndef GLINT_CPU_TRACE_EXACT_H
#define GLINT_CPU_TRACE_EXACT_H

#include "core/shading_context.h"
#include "cpu/trace/shade_pixel.h"

struct World {
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    Hit hit = hit_start(ray);
    double nearest = (double)hit.distance;
    for (size_t i = 0; i < world->scene->count; i++) {
        double root = 0;
        if (i == ray.left)
            continue;
        const double distance = sphere_distance(&world->scene->spheres[i], ray, &root);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, (float)root, (uint32_t)i};
        }
    }
    for (size_t i = 0; i < world->scene->triangle_count; i++) {
        if (world->scene->count + i == ray.left)
            continue;
        const double distance = triangle_distance(&world->scene->triangles[i], ray);
        if (distance < nearest) {
            nearest = distance;
            hit = (Hit){(float)distance, 0, (uint32_t)(world->scene->count + i)};
        }
    }
    return hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    return world_closest_hit(world, ray).distance < distance;
}

#endif
