/* walk.h: the world as a hierarchy: boxes around spheres, boxes around boxes; a ray looks only into those that it
 * meets. Triangles have a hierarchy of their own. One ray after the other, one box after the other: what wide.isa.c
 * does at once. */
#ifndef GLINT_CPU_TRACE_WALK_H
#define GLINT_CPU_TRACE_WALK_H

#include "core/setting.h"
#include "cpu/trace/hierarchy.h"

struct World {
    const Hierarchy *hierarchy;
    const Hierarchy *triangles; /* NULL: there are none */
    const Scene *scene;
    Tally *tally; /* where files count */
};

#include "cpu/trace/pixel.h"

/* 1 / d that stays finite; a ray that runs along a slab is inside it or misses it by far. */
static float inverse_of(float d) {
    return 1.0f / (fabsf(d) < 1e-18f ? copysignf(1e-18f, d) : d);
}

/* A ray's way between two planes across an axis. It never gets from the least to the most of a missing child. */
static void between(float from, float inverse, float least, float most, float *enter, float *leave) {
    const float slack = BOX_SLACK * fabsf(from);
    const float a = (least - slack - from) * inverse, b = (most + slack - from) * inverse;
    *enter = fmaxf(*enter, inverse < 0 ? b : a);
    *leave = fminf(*leave, inverse < 0 ? a : b);
}

/* Where the ray enters the box of a child, INFINITY if it does not between `least` and `most`. */
static float enter(const Node *node, int child, Ray ray, float most) {
    float in = ray.least, out = most;
    between(ray.origin.x, inverse_of(ray.direction.x), node->box[0][0][child], node->box[1][0][child], &in, &out);
    between(ray.origin.y, inverse_of(ray.direction.y), node->box[0][1][child], node->box[1][1][child], &in, &out);
    between(ray.origin.z, inverse_of(ray.direction.z), node->box[0][2][child], node->box[1][2][child], &in, &out);
    return in <= out ? in : INFINITY;
}

/* A box that waits to be looked into. */
typedef struct Waiting {
    float distance;
    uint32_t link;
} Waiting;

/* Puts the children that the ray meets on the stack, the nearest on top. */
static size_t push_children(const Node *node, Ray ray, float most, Waiting *stack, size_t depth) {
    const size_t bottom = depth;
    for (int child = 0; child < NODE_WIDTH; child++) {
        const float distance = enter(node, child, ray, most);
        if (!(distance < INFINITY))
            continue;
        size_t at = depth++;
        for (; at > bottom && stack[at - 1].distance < distance; at--)
            stack[at] = stack[at - 1];
        stack[at] = (Waiting){distance, node->link[child]};
    }
    return depth;
}

static inline void offer_spheres(const World *world, const Leaf *leaf, Ray ray, Hit *hit) {
    (void)world;
    for (int i = 0; i < NODE_WIDTH && leaf->x[i] == leaf->x[i]; i++) { /* what is missing is NaN */
        TALLY(world, TESTS);
        hit_offer(hit, vec(leaf->x[i], leaf->y[i], leaf->z[i]), leaf->radius[i], leaf->index[i], ray);
    }
}

/* The leaf's spheres are those around triangles. */
static void offer_triangles(const World *world, const Leaf *leaf, Ray ray, Hit *hit) {
    const Slant slant = slant_of(ray.direction);
    for (int i = 0; i < NODE_WIDTH && leaf->index[i] != HIT_NONE; i++) {
        const uint32_t index = leaf->index[i];
        TALLY(world, TESTS);
        hit_offer_triangle(hit, &world->scene->triangles[index], (uint32_t)world->scene->count + index, ray, slant);
    }
}

/* The nearest sphere or triangle beside `hit`, or with `any` the first that turns up nearer than `distance`. */
static inline Hit walk(const World *world, const Hierarchy *hierarchy, bool triangles, Ray ray, float distance,
                       bool any, Hit hit) {
    Waiting stack[HIERARCHY_STACK] = {{-INFINITY, hierarchy->root}};
    size_t depth = 1;
    while (depth > 0 && !(any && hit.distance < distance)) {
        const Waiting next = stack[--depth];
        if (next.distance > hit.distance)
            continue;
        if (next.link & LINK_LEAF) {
            const Leaf *leaf = &hierarchy->leaves[next.link & ~LINK_LEAF];
            if (triangles)
                offer_triangles(world, leaf, ray, &hit);
            else
                offer_spheres(world, leaf, ray, &hit);
        } else {
            TALLY(world, NODES);
            depth = push_children(&hierarchy->nodes[next.link], ray, fminf(hit.distance, distance), stack, depth);
        }
    }
    return hit;
}

HD Hit world_closest(const World *world, Ray ray) {
    const Hit hit = walk(world, world->hierarchy, false, ray, INFINITY, false, hit_none());
    return world->triangles ? walk(world, world->triangles, true, ray, INFINITY, false, hit) : hit;
}

HD bool world_blocked(const World *world, Ray ray, float distance) {
    if (walk(world, world->hierarchy, false, ray, distance, true, hit_none()).distance < distance)
        return true;
    return world->triangles && walk(world, world->triangles, true, ray, distance, true, hit_none()).distance < distance;
}

/* Over the stage's scene, which it borrows. Fails as hierarchy_over does. */
static Status world_over(Device *device, const Scene *scene, World *world) {
    *world = (World){.scene = scene};
    TRY(hierarchy_over(device, scene, &world->hierarchy));
    return hierarchy_over_triangles(device, scene, &world->triangles);
}

#endif
