/* cylinder_rays.h: rays through the BVH over a scene's cylinders, one after the other. For *.isa.c files. A ray tries
 * the spheres around all cylinders of a leaf at once, then the cylinders that are left one by one
 * (core/math/cylinder.h). */
#ifndef GLINT_CPU_TRACE_CYLINDER_RAYS_H
#define GLINT_CPU_TRACE_CYLINDER_RAYS_H

#include "core/math/cylinder.h"
#include "cpu/trace/single_ray.h"

/* How far away from their centres rays may pass the cylinders within spheres, rounding included. */
static inline Floats bounds_reach(Floats3 to, Floats radius) {
    return radius + BOX_SLACK * (absolute(to.x) + absolute(to.y) + (absolute(to.z) + radius));
}

/* The cylinders of a part of a leaf that the ray may hit before `farthest`, a bit each. */
static inline unsigned cylinders_near(const SingleRay *single, const Bvh16Leaf *leaf, size_t at, float farthest) {
    const Floats3 direction = single->direction;
    const Floats3 to = {load(leaf->x + at) - single->from.x, load(leaf->y + at) - single->from.y,
                        load(leaf->z + at) - single->from.z};
    const Floats along = dot(to, direction), reach = bounds_reach(to, load(leaf->radius + at));
    const Floats3 aside = {to.x - along * direction.x, to.y - along * direction.y, to.z - along * direction.z};
    return bits_of(at_most(dot(aside, aside), reach * reach) & at_most(along - reach, spread(farthest)) &
                   at_most(spread(single->ray.t_min), along + reach));
}

/* A scene's cylinder by its number. */
static inline void offer_cylinder(const Scene *scene, uint32_t number, Ray ray, Hit *hit) {
    hit_offer_cylinder(hit, &scene->cylinders[number], (uint32_t)scene->count + number, ray);
}

INLINE void test_cylinders(const SingleRay *single, const Bvh16Leaf *leaf, const void *scene, Hit *hit) {
    for (size_t at = 0; at < NODE_WIDTH && has_part(leaf, at); at += LANES)
        for (unsigned near = cylinders_near(single, leaf, at, hit->distance); near; near &= near - 1)
            offer_cylinder(scene, leaf->index[at + (size_t)__builtin_ctz(near)], single->ray, hit);
}

INLINE bool hits_cylinders(const SingleRay *single, const Bvh16Leaf *leaf, const void *scene, float farthest) {
    Hit hit = hit_none();
    for (size_t at = 0; at < NODE_WIDTH && has_part(leaf, at); at += LANES)
        for (unsigned near = cylinders_near(single, leaf, at, farthest); near; near &= near - 1) {
            offer_cylinder(scene, leaf->index[at + (size_t)__builtin_ctz(near)], single->ray, &hit);
            if (hit.distance < farthest)
                return true;
        }
    return false;
}

/* The closest of `hit` and all cylinders, over which `bvh` is. */
static inline Hit closest_cylinder(const Bvh16 *bvh, const Scene *scene, const SingleRay *single, Hit hit) {
    return closest_of(bvh, single, hit, test_cylinders, scene);
}

/* Whether a cylinder is hit before `farthest`. */
static inline bool any_cylinder(const Bvh16 *bvh, const Scene *scene, const SingleRay *single, float farthest) {
    return any_of(bvh, single, farthest, hits_cylinders, scene);
}

#endif
