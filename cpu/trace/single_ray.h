/* single_ray.h: one ray through the BVH from its origin to its end: the closest hit, or any hit.
 * For *.isa.c files. bvh16_traversal.h works step by step, for many rays in turns. Here one loop keeps its state in
 * registers: faster where the BVH is in the caches, or the processor reorders enough to wait for none. */
#ifndef GLINT_CPU_TRACE_SINGLE_RAY_H
#define GLINT_CPU_TRACE_SINGLE_RAY_H

#include "cpu/trace/bvh16_traversal.h"

/* A vector of rays, as boxes and spheres need them one after the other. */
typedef struct RayLanes {
    float origin[3][LANES], direction[3][LANES];
    float inverse[3][LANES], enter[3][LANES], leave[3][LANES]; /* Slabs */
    uint32_t left[LANES];                                      /* Ray */
} RayLanes;

static inline void store(float *to, Floats lanes) {
    memcpy(to, &lanes, sizeof lanes);
}

static inline RayLanes ray_lanes(Floats3 origin, Floats3 direction, Ints left) {
    const Floats from[3] = {origin.x, origin.y, origin.z}, way[3] = {direction.x, direction.y, direction.z};
    RayLanes rays;
    for (int a = 0; a < 3; a++) {
        Floats inverse, enter, leave;
        slabs_between(from[a], way[a], &inverse, &enter, &leave);
        store(rays.origin[a], from[a]);
        store(rays.direction[a], way[a]);
        store(rays.inverse[a], inverse);
        store(rays.enter[a], enter);
        store(rays.leave[a], leave);
    }
    memcpy(rays.left, &left, sizeof rays.left);
    return rays;
}

/* A ray of those; the numbers in each lane. */
typedef struct SingleRay {
    Floats3 from, direction;
    Slabs slabs;
    Ray ray;
} SingleRay;

static inline SingleRay with_slabs(Ray ray, Slabs slabs) {
    return (SingleRay){.from = {spread(ray.origin.x), spread(ray.origin.y), spread(ray.origin.z)},
                       .direction = {spread(ray.direction.x), spread(ray.direction.y), spread(ray.direction.z)},
                       .slabs = slabs,
                       .ray = ray};
}

static inline SingleRay ray_of_lane(const RayLanes *rays, int lane, float t_min) {
    Ray ray = ray_from(vec(rays->origin[0][lane], rays->origin[1][lane], rays->origin[2][lane]),
                       vec(rays->direction[0][lane], rays->direction[1][lane], rays->direction[2][lane]));
    ray.left = rays->left[lane];
    ray.t_min = t_min;
    return with_slabs(ray, slabs_of(vec(rays->inverse[0][lane], rays->inverse[1][lane], rays->inverse[2][lane]),
                                    vec(rays->enter[0][lane], rays->enter[1][lane], rays->enter[2][lane]),
                                    vec(rays->leave[0][lane], rays->leave[1][lane], rays->leave[2][lane])));
}

static inline SingleRay single_ray(Ray ray) {
    const Floats from = {ray.origin.x, ray.origin.y, ray.origin.z};
    const Floats direction = {ray.direction.x, ray.direction.y, ray.direction.z};
    Floats inverse, enter, leave;
    slabs_between(from, direction, &inverse, &enter, &leave);
    return with_slabs(ray, slabs_of(vec(inverse[0], inverse[1], inverse[2]), vec(enter[0], enter[1], enter[2]),
                                    vec(leave[0], leave[1], leave[2])));
}

/* The children whose boxes the ray enters before `farthest`, a bit each, and where. */
static inline unsigned children_hit(const SingleRay *single, const Bvh16Node *node, float farthest,
                                    float distances[NODE_WIDTH]) {
    const Slabs *slabs = &single->slabs;
    unsigned children = 0;
    for (size_t part = 0; part < PARTS; part++) {
        const float *box = &node->box[0][0][part * LANES];
        Floats in = spread(single->ray.t_min), out = spread(farthest);
        for (int a = 0; a < 3; a++) {
            in = greater(load(box + slabs->near[a]) * slabs->inverse[a] + slabs->enter[a], in);
            out = lesser(load(box + slabs->far[a]) * slabs->inverse[a] + slabs->leave[a], out);
        }
        children |= bits_of(at_most(in, out)) << part * LANES;
        store(distances + part * LANES, in);
    }
    return children;
}

/* Where the ray hits the spheres of a part of a leaf; INFINITY where it does not. */
static inline Floats sphere_distances(const SingleRay *single, const Bvh16Leaf *leaf, size_t at) {
    const Floats3 direction = single->direction;
    const Floats3 to = {load(leaf->x + at) - single->from.x, load(leaf->y + at) - single->from.y,
                        load(leaf->z + at) - single->from.z};
    const Floats radius = load(leaf->radius + at), along = dot(to, direction), square = radius * radius;
    const Floats3 aside = {to.x - along * direction.x, to.y - along * direction.y, to.z - along * direction.z};
    const Floats discriminant = square - dot(aside, aside), root = square_root(discriminant);
    const Which others = ~same_int(load_int(leaf->index + at), spread_int((int32_t)single->ray.left));
    const Which passed = less(spread(0), discriminant) & others;
    const Which near = passed & less(absolute(along * along - discriminant), SPHERE_NEAR * square);
    Chords chords = {along - root, along + root, root, passed & ~near};
    if (__builtin_expect(bits_of(near) != 0, 0))
        chords_near(&chords, bits_of(near), leaf, at, single->ray);
    const Floats t_min = spread(single->ray.t_min);
    const Floats distance = blend(less(chords.enter, t_min), chords.leave, chords.enter);
    return blend(chords.hit & at_most(t_min, distance), distance, spread(endless));
}

/* Whether a leaf has spheres from `at` on. */
static inline bool has_part(const Bvh16Leaf *leaf, size_t at) {
    return at == 0 || leaf->index[at] != HIT_NONE;
}

/* How a ray tries the contents of a leaf. A traversal is compiled for each; `of` is the function's own. */
typedef void TestLeaf(const SingleRay *single, const Bvh16Leaf *leaf, const void *of, Hit *hit);
typedef bool HitsLeaf(const SingleRay *single, const Bvh16Leaf *leaf, const void *of, float farthest);

/* Takes the nearest of a leaf's spheres if nothing nearer was hit; of equals the first in the scene. */
INLINE void test_spheres(const SingleRay *single, const Bvh16Leaf *leaf, const void *of, Hit *hit) {
    (void)of;
    for (size_t at = 0; at < NODE_WIDTH && has_part(leaf, at); at += LANES) {
        const Floats distance = sphere_distances(single, leaf, at);
        unsigned nearer = bits_of(at_most(distance, spread(hit->distance)) & less(distance, spread(endless)));
        for (; nearer; nearer &= nearer - 1) {
            const int lane = __builtin_ctz(nearer);
            const uint32_t index = leaf->index[at + (size_t)lane];
            if (distance[lane] < hit->distance || (distance[lane] == hit->distance && index < hit->index)) {
                hit->distance = distance[lane];
                hit->index = index;
            }
        }
    }
}

INLINE bool hits_spheres(const SingleRay *single, const Bvh16Leaf *leaf, const void *of, float farthest) {
    (void)of;
    for (size_t at = 0; at < NODE_WIDTH && has_part(leaf, at); at += LANES)
        if (bits_of(less(sphere_distances(single, leaf, at), spread(farthest))))
            return true;
    return false;
}

/* The closest of `hit` and all that leaves have. */
INLINE Hit closest_of(const Bvh16 *bvh, const SingleRay *single, Hit hit, TestLeaf *test, const void *of) {
    Stack stack;
    stack.depth = 0;
    uint32_t link = bvh->root;
    for (;;) {
        if (link & LINK_LEAF) {
            test(single, &bvh->leaves[link & ~LINK_LEAF], of, &hit);
        } else {
            const Bvh16Node *node = &bvh->nodes[link];
            float distances[NODE_WIDTH];
            unsigned children = children_hit(single, node, hit.distance, distances);
            if (children) {
                const int first = __builtin_ctz(children);
                children &= children - 1;
                link = node->link[first];
                if (!children)
                    continue;
                const int second = __builtin_ctz(children);
                if (!(children & (children - 1))) { /* two */
                    const bool swap = distances[second] < distances[first];
                    stack.entries[stack.depth++] =
                        (StackEntry){node->link[swap ? first : second], distances[swap ? first : second]};
                    link = node->link[swap ? second : first];
                    continue;
                }
                push(&stack, children | 1u << first, distances, node->link);
            }
        }
        do {
            if (stack.depth == 0)
                return hit;
        } while (stack.entries[--stack.depth].distance > hit.distance);
        link = stack.entries[stack.depth].link;
    }
}

/* Whether anything that leaves have is hit before `farthest`. The children come in any order. */
INLINE bool any_of(const Bvh16 *bvh, const SingleRay *single, float farthest, HitsLeaf *hits, const void *of) {
    uint32_t stack[BVH16_STACK];
    size_t depth = 0;
    uint32_t link = bvh->root;
    for (;;) {
        if (link & LINK_LEAF) {
            if (hits(single, &bvh->leaves[link & ~LINK_LEAF], of, farthest))
                return true;
        } else {
            const Bvh16Node *node = &bvh->nodes[link];
            float distances[NODE_WIDTH];
            for (unsigned children = children_hit(single, node, farthest, distances); children;
                 children &= children - 1)
                stack[depth++] = node->link[__builtin_ctz(children)];
        }
        if (depth == 0)
            return false;
        link = stack[--depth];
    }
}

/* The closest sphere before `farthest`; else HIT_NONE and `farthest`. */
static inline Hit closest_hit(const Bvh16 *bvh, const SingleRay *single, float farthest) {
    return closest_of(bvh, single, (Hit){farthest, 0, HIT_NONE}, test_spheres, NULL);
}

/* Whether a sphere is hit before `farthest`. */
static inline bool any_hit(const Bvh16 *bvh, const SingleRay *single, float farthest) {
    return any_of(bvh, single, farthest, hits_spheres, NULL);
}

#endif
