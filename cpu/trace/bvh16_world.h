/* bvh16_world.h: the world as a BVH of sixteen boxes a node, one ray after the other. For *.isa.c files. */
#ifndef GLINT_CPU_TRACE_BVH16_WORLD_H
#define GLINT_CPU_TRACE_BVH16_WORLD_H

#include "core/math/surface.h"
#include "cpu/trace/single_ray.h"

struct World {
    const Bvh16 *bvh;
};

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    const SingleRay single = single_ray(ray);
    const Hit hit = closest_hit(world->bvh, &single, ray.far);
    return hit.index == HIT_NONE ? hit_start(ray) : hit;
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    const SingleRay single = single_ray(ray);
    return any_hit(world->bvh, &single, distance);
}

#endif
