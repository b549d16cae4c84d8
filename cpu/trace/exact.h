/* exact.h: the world in double precision: the nearest primitive on a ray, the first of equals. */
#ifndef GLINT_CPU_TRACE_EXACT_H
#define GLINT_CPU_TRACE_EXACT_H

#include "core/scene/scene_pick.h"
#include "core/scene/shading_context.h"
#include "cpu/trace/shade_pixel.h"

struct World {
    const Scene *scene;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    return scene_closest_hit(world->scene, ray);
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    return world_closest_hit(world, ray).distance < distance;
}

#endif
