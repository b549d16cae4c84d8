/* bvh2.cuh: bounding boxes around spheres or other primitives, and how a ray traverses them.
 * The tree is binary; a node holds the boxes of both children, so that one visit of 64 bytes decides about two (Aila
 * and Laine, Understanding the Efficiency of Ray Traversal on GPUs, High Performance Graphics 2009). */
#ifndef GLINT_GPU_TRACE_BVH2_CUH
#define GLINT_GPU_TRACE_BVH2_CUH

#include "core/math/ray_counters.h"
#include "gpu/trace/trace.cuh"

#include <string.h>

/* Where a child is: >= 0 a node, else spheres in a row. */
enum { LEAF_MAX = 3, LEAF_BITS = 3, STACK = 64 /* levels: 30 bits of codes, 32 of places where codes are equal */ };

struct __align__(16) Bvh2Node {
    float4 x, y, z; /* minimum and maximum of the left child, then of the right */
    int left, right;
};

static __host__ __device__ __forceinline__ int leaf_link(unsigned first, unsigned count) {
    return (int)~(first << LEAF_BITS | count);
}

static __device__ __forceinline__ unsigned first_of(int leaf) {
    return ~(unsigned)leaf >> LEAF_BITS;
}
static __device__ __forceinline__ unsigned count_of(int leaf) {
    return ~(unsigned)leaf & ((1 << LEAF_BITS) - 1);
}

/* A tree over all spheres, or over all others. */
typedef struct Bvh2 {
    const Bvh2Node *nodes;
    const float4 *balls;   /* in the leaves' order */
    const unsigned *order; /* the sphere of the scene that each is */
    int root;
    Others around; /* the primitives in the balls, where these are no spheres */
#ifdef RAY_COUNTERS
    RayCounters *counters; /* a thread's own */
#endif
} Bvh2;

static inline Bvh2 bvh2_of(const GpuScene *scene) {
    Bvh2 bvh2;
    memset(&bvh2, 0, sizeof bvh2);
    bvh2.nodes = scene->nodes;
    bvh2.balls = scene->sorted;
    bvh2.order = scene->order;
    bvh2.root = scene->count > LEAF_MAX ? 0 : leaf_link(0, scene->count);
    return bvh2;
}

static inline Bvh2 bvh2_of_others(const GpuScene *bounds, const GpuScene *scene) {
    Bvh2 bvh2 = bvh2_of(bounds);
    bvh2.around.triangles = bounds->triangles;
    bvh2.around.cylinders = bounds->cylinders;
    bvh2.around.triangle_count = bounds->triangle_count;
    bvh2.around.before = scene->count;
    bvh2.around.some = true;
    return bvh2;
}

/* 1 / d that stays finite; a ray that runs along a slab is inside it or misses it by far. */
static __device__ __forceinline__ float inverse_of(float d) {
    return 1.0f / (fabsf(d) < 1e-18f ? copysignf(1e-18f, d) : d);
}

/* A ray as boxes want it. */
typedef struct Slabs {
    Vec inverse, offset; /* distance to the plane at p: p * inverse + offset */
} Slabs;

static __device__ __forceinline__ Slabs slabs_of(const Ray &ray) {
    Slabs slabs;
    slabs.inverse = vec(inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z));
    slabs.offset =
        vec(-ray.origin.x * slabs.inverse.x, -ray.origin.y * slabs.inverse.y, -ray.origin.z * slabs.inverse.z);
    return slabs;
}

/* Where the ray enters a box, INFINITY unless it does so between `t_min` and `t_max`. The exit is moved on by as much
 * as rounding may have taken from it (Ize, Robust BVH Ray Traversal, JCGT 2013). */
static __device__ __forceinline__ float enter(const Slabs &slabs, float x0, float x1, float y0, float y1, float z0,
                                              float z1, float t_min, float t_max) {
    const float ax = fmaf(x0, slabs.inverse.x, slabs.offset.x), bx = fmaf(x1, slabs.inverse.x, slabs.offset.x);
    const float ay = fmaf(y0, slabs.inverse.y, slabs.offset.y), by = fmaf(y1, slabs.inverse.y, slabs.offset.y);
    const float az = fmaf(z0, slabs.inverse.z, slabs.offset.z), bz = fmaf(z1, slabs.inverse.z, slabs.offset.z);
    const float in = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), t_min));
    const float out = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), t_max));
    return in <= out + fabsf(out) * 1e-6f ? in : INFINITY;
}

/* `slant` is for triangles. NEAR: for rays that may begin on a surface. */
template <bool NEAR>
static __device__ __forceinline__ void offer_other(Hit *hit, const Others &others, unsigned index, const Ray &ray,
                                                   const Slant &slant) {
    if (index >= others.triangle_count)
        hit_offer_cylinder(hit, &others.cylinders[index - others.triangle_count], others.before + index, ray);
    else if (NEAR)
        hit_offer_triangle_near(hit, &others.triangles[index], others.before + index, ray, slant);
    else
        hit_offer_triangle(hit, &others.triangles[index], others.before + index, ray, slant);
}

template <bool NEAR, bool OTHERS>
static __device__ __forceinline__ void offer_leaf(Hit *hit, const Bvh2 &bvh2, int link, const Ray &ray,
                                                  const Slant &slant) {
    const unsigned first = first_of(link), end = first + count_of(link);
#pragma unroll(NEAR ? 1 : 4)
    for (unsigned i = first; i < end; i++) {
        RAY_COUNT(&bvh2, TESTS);
        const unsigned index = bvh2.order[i];
        if (OTHERS)
            offer_other<NEAR>(hit, bvh2.around, index, ray, slant);
        else
            offer_ball<NEAR>(hit, bvh2.balls[i], index, ray);
    }
}

template <bool OTHERS> static __device__ __forceinline__ Slant slant_for(const Ray &ray) {
    const Slant none = {0, 0, 0, 0};
    return OTHERS ? slant_of(ray.direction) : none;
}

/* The nearest hit besides `hit`, depth first, the nearer child first. Rays of a warp with little in common stay in the
 * inner loop until each has found a leaf, and look at their leaves together. Rays that go the same way had better not
 * wait. */
template <bool TOGETHER, bool NEAR, bool OTHERS = false>
static __device__ __forceinline__ Hit closest_hit(const Bvh2 &bvh2, const Ray &ray, Hit hit = hit_none()) {
    const Slabs slabs = slabs_of(ray);
    const Slant slant = slant_for<OTHERS>(ray);
    int stack[STACK], depth = 0, link = bvh2.root;
    for (;;) {
        bool found = link < 0;
        while (!found) {
            const Bvh2Node *node = &bvh2.nodes[link];
            RAY_COUNT(&bvh2, NODES);
            const float4 x = node->x, y = node->y, z = node->z;
            const int2 children = *(const int2 *)&node->left;
            const float left = enter(slabs, x.x, x.y, y.x, y.y, z.x, z.y, ray.t_min, hit.distance);
            const float right = enter(slabs, x.z, x.w, y.z, y.w, z.z, z.w, ray.t_min, hit.distance);
            const bool swap = right < left;
            if (fminf(left, right) == INFINITY) {
                if (TOGETHER)
                    break;
                if (depth == 0)
                    return hit;
                link = stack[--depth];
            } else {
                link = swap ? children.y : children.x;
                if (fmaxf(left, right) < INFINITY)
                    stack[depth++] = swap ? children.x : children.y;
            }
            found = link < 0;
        }
        if (found)
            offer_leaf<NEAR, OTHERS>(&hit, bvh2, link, ray, slant);
        if (depth == 0)
            return hit;
        link = stack[--depth];
    }
}

/* Whether anything stands on the ray nearer than `distance`: whatever comes first decides. */
template <bool OTHERS = false>
static __device__ __forceinline__ bool any_hit(const Bvh2 &bvh2, const Ray &ray, float distance) {
    const Slabs slabs = slabs_of(ray);
    const Slant slant = slant_for<OTHERS>(ray);
    int stack[STACK], depth = 0, link = bvh2.root;
    Hit hit = hit_none();
    for (;;) {
        bool found = link < 0;
        while (!found) {
            const Bvh2Node *node = &bvh2.nodes[link];
            RAY_COUNT(&bvh2, NODES);
            const float4 x = node->x, y = node->y, z = node->z;
            const int2 children = *(const int2 *)&node->left;
            const bool left = enter(slabs, x.x, x.y, y.x, y.y, z.x, z.y, ray.t_min, distance) < INFINITY;
            const bool right = enter(slabs, x.z, x.w, y.z, y.w, z.z, z.w, ray.t_min, distance) < INFINITY;
            if (!left && !right) {
                if (depth == 0)
                    return false;
                link = stack[--depth];
            } else {
                link = left ? children.x : children.y;
                if (left && right)
                    stack[depth++] = children.y;
            }
            found = link < 0;
        }
        offer_leaf<true, OTHERS>(&hit, bvh2, link, ray, slant);
        if (hit.distance < distance)
            return true;
        if (depth == 0)
            return false;
        link = stack[--depth];
    }
}

#endif
