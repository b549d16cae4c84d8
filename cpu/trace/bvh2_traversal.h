/* bvh2_traversal.h: the world as a binary BVH (cpu/trace/bvh2.h), traversed one ray after the other, one box after the
 * other. A ray descends into the nearer of two children first and puts the other one on a stack. By then it has often
 * hit something before that one's box. */
#ifndef GLINT_CPU_TRACE_BVH2_TRAVERSAL_H
#define GLINT_CPU_TRACE_BVH2_TRAVERSAL_H

#include "core/scene/shading_context.h"
#include "cpu/isa.h"
#include "cpu/trace/bvh2.h"

struct World {
    const Bvh2 *bvh;
    const Scene *scene;
    RayCounters *counters; /* where files count */
};

#include "cpu/trace/shade_pixel.h"

/* A ray as boxes need it. Between the planes at `t_min` and `t_max` across axis a it runs from (p - enter[a]) *
 * inverse[a] to (q - leave[a]) * inverse[a]. Here p = box[back[a]][a], and q is the other one (Kay and Kajiya, Ray
 * Tracing Complex Scenes, SIGGRAPH 1986). */
typedef struct Slabs {
    float inverse[3], enter[3], leave[3];
    size_t back[3]; /* 1 where the ray runs from the maximum to the minimum */
} Slabs;

/* 1 / d that stays finite; a ray that runs along a slab is inside it or misses it by far. */
static inline float inverse_of(float d) {
    return 1.0f / (fabsf(d) < 1e-18f ? copysignf(1e-18f, d) : d);
}

static inline void set_axis(Slabs *slabs, int axis, float origin, float direction) {
    const float slack = copysignf(BVH2_SLACK * fabsf(origin), direction);
    slabs->inverse[axis] = inverse_of(direction);
    slabs->enter[axis] = origin + slack;
    slabs->leave[axis] = origin - slack;
    slabs->back[axis] = slabs->inverse[axis] < 0;
}

static inline Slabs slabs_of(Ray ray) {
    Slabs slabs;
    set_axis(&slabs, 0, ray.origin.x, ray.direction.x);
    set_axis(&slabs, 1, ray.origin.y, ray.direction.y);
    set_axis(&slabs, 2, ray.origin.z, ray.direction.z);
    return slabs;
}

/* Whether the ray is in the box somewhere from `t_min` to `t_max`, and in *in from where on. Comparisons rather than
 * fminf and fmaxf, which are calls. */
static inline bool box_hit(const Bvh2Node *node, const Slabs *slabs, float t_min, float t_max, float *in) {
    float out = t_max;
    *in = t_min;
    for (int a = 0; a < 3; a++) {
        const float near = (node->box[slabs->back[a]][a] - slabs->enter[a]) * slabs->inverse[a];
        const float far = (node->box[1 - slabs->back[a]][a] - slabs->leave[a]) * slabs->inverse[a];
        *in = near > *in ? near : *in;
        out = far < out ? far : out;
    }
    return *in <= out;
}

/* A traversal is compiled for each. */
typedef struct Purpose {
    bool any;       /* the first hit that turns up nearer than the distance, in place of the closest one */
    bool cylinders; /* the scene may have some: their test takes registers from the others */
} Purpose;

INLINE void test_leaf(const World *world, const Bvh2Node *leaf, Ray ray, Slant slant, Purpose purpose, Hit *hit) {
    const Scene *scene = world->scene;
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
        const uint32_t index = world->bvh->order[i];
        RAY_COUNT(world, TESTS);
        if (index < scene->count)
            hit_offer_near(hit, sphere_centre(&scene->spheres[index]), scene->spheres[index].radius, index, ray);
        else if (!purpose.cylinders || index < scene->count + scene->triangle_count)
            hit_offer_triangle_near(hit, &scene->triangles[index - scene->count], index, ray, slant);
        else
            hit_offer_cylinder(hit, &scene->cylinders[index - scene->count - scene->triangle_count], index, ray);
    }
}

/* A node whose sibling goes first. */
typedef struct Postponed {
    float distance; /* where the ray enters its box */
    uint32_t node;
} Postponed;

/* The hit that is asked for, up to `distance` at least. */
INLINE Hit traverse(const World *world, Ray ray, float distance, Purpose purpose) {
    const Bvh2Node *nodes = world->bvh->nodes, *node = nodes;
    const Slant slant = world->scene->triangle_count > 0 ? slant_of(ray.direction) : (Slant){0};
    const Slabs slabs = slabs_of(ray);
    Postponed stack[BVH2_DEPTH];
    size_t depth = 0;
    Hit hit = hit_start(ray);
    float in[2];
    if (!box_hit(node, &slabs, ray.t_min, distance, in))
        return hit;
    for (;;) {
        if (node->count > 0) {
            test_leaf(world, node, ray, slant, purpose, &hit);
            if (purpose.any && hit.distance < distance)
                return hit;
        } else {
            const Bvh2Node *pair = nodes + node->first;
            const float t_max = hit.distance < distance ? hit.distance : distance;
            RAY_COUNT(world, NODES);
            const bool left = box_hit(&pair[0], &slabs, ray.t_min, t_max, &in[0]);
            const bool right = box_hit(&pair[1], &slabs, ray.t_min, t_max, &in[1]);
            const size_t nearer = !left || (right && in[1] < in[0]);
            if (left && right)
                stack[depth++] = (Postponed){in[1 - nearer], node->first + (uint32_t)(1 - nearer)};
            if (left || right) {
                node = pair + nearer;
                continue;
            }
        }
        do {
            if (depth == 0)
                return hit;
            node = nodes + stack[--depth].node;
        } while (stack[depth].distance > hit.distance);
    }
}

static Hit closest_hit(const World *world, Ray ray) {
    return traverse(world, ray, INFINITY, (Purpose){.any = false});
}

static Hit closest_hit_or_cylinder(const World *world, Ray ray) {
    return traverse(world, ray, INFINITY, (Purpose){.any = false, .cylinders = true});
}

static Hit any_hit(const World *world, Ray ray, float distance) {
    return traverse(world, ray, distance, (Purpose){.any = true});
}

static Hit any_hit_or_cylinder(const World *world, Ray ray, float distance) {
    return traverse(world, ray, distance, (Purpose){.any = true, .cylinders = true});
}

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
    return world->scene->cylinder_count > 0 ? closest_hit_or_cylinder(world, ray) : closest_hit(world, ray);
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
    const bool cylinders = world->scene->cylinder_count > 0;
    return (cylinders ? any_hit_or_cylinder(world, ray, distance) : any_hit(world, ray, distance)).distance < distance;
}

/* Over the stage's scene, which it borrows. Fails as bvh2_over does. */
static Status world_over(Queue *queue, const Scene *scene, World *world) {
    *world = (World){.scene = scene};
    return bvh2_over(queue, scene, &world->bvh);
}

#endif
