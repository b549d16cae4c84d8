/* cwbvh8.cuh: a BVH of eight boxes a node, whose planes are a byte each, and how a ray traverses it (Ylitie, Karras and
 * Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, High Performance Graphics 2017).
 * Their traversal visits children in the order of the octants in which they lie. Here it visits the nearest and then
 * the others, with the distance of the second kept with them. Nodes behind a hit are never loaded, which saves more
 * visits than any order. */
#ifndef GLINT_GPU_TRACE_CWBVH8_CUH
#define GLINT_GPU_TRACE_CWBVH8_CUH

#include "gpu/trace/bvh2.cuh"

enum { BVH8_WIDTH = 8 };

/* Child i's planes along an axis are at origin + byte i * 2^exponent, rounded outward. Children that are nodes come
 * before those that are leaves. */
struct __align__(16) Bvh8Node {
    float origin[3];
    uint8_t exponent[3]; /* as in a float's bits */
    uint8_t nodes;       /* how many children are nodes */
    unsigned first_node; /* the first child; the other nodes are behind it */
    unsigned first_ball; /* so are the spheres of the leaves */
    uint64_t leaves;     /* a byte a child: see leaf_byte; 0: there is no child, or no leaf */
    uint64_t low[3], high[3];
};

/* A leaf: in the upper three bits a 1 for each sphere, in the lower five which of the node's spheres is the first. */
static __device__ __forceinline__ unsigned leaf_byte(unsigned first, unsigned count) {
    return ((1U << count) - 1) << 5 | first;
}

typedef struct Bvh8 {
    const Bvh8Node *nodes;
    const float4 *balls;
    const unsigned *order; /* the sphere of the scene that each is */
    bool empty;
    unsigned bias; /* the bits of BYTE_BIAS; as a constant they would cost each plane an instruction more */
} Bvh8;

static inline Bvh8 bvh8_of(const GpuScene *scene) {
    const Bvh8 bvh8 = {scene->bvh8_nodes, scene->bvh8_balls, scene->bvh8_order, scene->count == 0, 0x47000000U};
    return bvh8;
}

/* A ray as boxes want it. */
typedef struct Bvh8Ray {
    Vec origin, inverse;
    float t_min;
    unsigned bias;
} Bvh8Ray;

static __device__ __forceinline__ Bvh8Ray bvh8_ray(const Bvh8 &from, const Ray &ray) {
    const Bvh8Ray boxed = {ray.origin,
                           vec(inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z)),
                           ray.t_min, from.bias};
    return boxed;
}

/* Along one axis, the distance to the plane at byte b is (b + BYTE_BIAS) * scale + near, or far. These are moved apart
 * by more than rounding can amount to. It amounts to at most 6 units in the last place of the two terms; PLANE_SLACK
 * are 8. */
#define BYTE_BIAS   32768.0f
#define PLANE_SLACK 0x1p-21f
typedef struct Axis {
    float scale, near, far;
} Axis;

static __device__ __forceinline__ Axis axis_of(float node, unsigned exponent, float origin, float inverse) {
    Axis axis;
    axis.scale = __uint_as_float(exponent << 23) * inverse;
    const float to = (node - origin) * inverse, at = fmaf(-BYTE_BIAS, axis.scale, to);
    const float terms = fmaf(BYTE_BIAS, fabsf(axis.scale), fabsf(to));
    axis.near = fmaf(-PLANE_SLACK, terms, at);
    axis.far = fmaf(PLANE_SLACK, terms, at);
    return axis;
}

/* The distance to the plane at byte i of four. The second byte of 2^15 counts ones: to put a byte there makes a float
 * of it, without a conversion. */
static __device__ __forceinline__ float plane_at(const Bvh8Ray &ray, float scale, unsigned bytes, int i, float offset) {
    return fmaf(__uint_as_float(__byte_perm(bytes, ray.bias, 0x7404U | (unsigned)i << 4)), scale, offset);
}

/* The children of a node that the ray hits. */
typedef struct ChildHits {
    unsigned hits; /* a bit a child */
    /* Where the ray enters the nearest of those that are nodes, with its number in the last three bits; and where it
     * enters the second. INFINITY: there is none. */
    float nearest, second;
} ChildHits;

/* Four children, of which the first has the number `first`. */
static __device__ __forceinline__ void intersect_four(const Bvh8Ray &ray, float t_max, unsigned nodes, int first,
                                                      const Axis &x, const Axis &y, const Axis &z, uint3 near,
                                                      uint3 far, ChildHits *children) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float in =
            fmaxf(fmaxf(plane_at(ray, x.scale, near.x, i, x.near), plane_at(ray, y.scale, near.y, i, y.near)),
                  fmaxf(plane_at(ray, z.scale, near.z, i, z.near), ray.t_min));
        const float out = fminf(fminf(plane_at(ray, x.scale, far.x, i, x.far), plane_at(ray, y.scale, far.y, i, y.far)),
                                fminf(plane_at(ray, z.scale, far.z, i, z.far), t_max));
        const unsigned child = (unsigned)(first + i);
        const bool hit = in <= out;
        const float enter = hit && child < nodes ? __uint_as_float((__float_as_uint(in) & ~7U) | child) : INFINITY;
        children->hits |= hit ? 1U << child : 0;
        children->second = fminf(children->second, fmaxf(children->nearest, enter));
        children->nearest = fminf(children->nearest, enter);
    }
}

/* A node's links, once its boxes have been looked at. */
typedef struct Links {
    unsigned nodes, first_node, first_ball;
    uint2 leaves;
} Links;

static __device__ __forceinline__ ChildHits intersect_node(const Bvh8Node *node, const Bvh8Ray &ray, float t_max,
                                                           Links *to) {
    const uint4 *parts = (const uint4 *)node;
    const uint4 head = parts[0], links = parts[1], low_xy = parts[2], low_z_high_x = parts[3], high_yz = parts[4];
    const Axis x = axis_of(__uint_as_float(head.x), head.w & 0xFF, ray.origin.x, ray.inverse.x);
    const Axis y = axis_of(__uint_as_float(head.y), head.w >> 8 & 0xFF, ray.origin.y, ray.inverse.y);
    const Axis z = axis_of(__uint_as_float(head.z), head.w >> 16 & 0xFF, ray.origin.z, ray.inverse.z);
    const uint2 low_x = make_uint2(low_xy.x, low_xy.y), high_x = make_uint2(low_z_high_x.z, low_z_high_x.w);
    const uint2 low_y = make_uint2(low_xy.z, low_xy.w), high_y = make_uint2(high_yz.x, high_yz.y);
    const uint2 low_z = make_uint2(low_z_high_x.x, low_z_high_x.y), high_z = make_uint2(high_yz.z, high_yz.w);
    const bool right = ray.inverse.x > 0, up = ray.inverse.y > 0, towards = ray.inverse.z > 0;
    const uint2 near_x = right ? low_x : high_x, far_x = right ? high_x : low_x;
    const uint2 near_y = up ? low_y : high_y, far_y = up ? high_y : low_y;
    const uint2 near_z = towards ? low_z : high_z, far_z = towards ? high_z : low_z;
    ChildHits children = {0, INFINITY, INFINITY};
    to->nodes = head.w >> 24;
    to->first_node = links.x;
    to->first_ball = links.y;
    to->leaves = make_uint2(links.z, links.w);
    intersect_four(ray, t_max, to->nodes, 0, x, y, z, make_uint3(near_x.x, near_y.x, near_z.x),
                   make_uint3(far_x.x, far_y.x, far_z.x), &children);
    intersect_four(ray, t_max, to->nodes, 4, x, y, z, make_uint3(near_x.y, near_y.y, near_z.y),
                   make_uint3(far_x.y, far_y.y, far_z.y), &children);
    return children;
}

/* The children of a node that are left to visit. It has the distance at which the ray enters the nearest of them, to 15
 * bits, and their numbers in the last eight bits. */
typedef struct StackEntry {
    unsigned first_node, enter;
} StackEntry;

/* Whether all of them are behind the ray's hit: the bits that are missing are allowed for. */
static __device__ __forceinline__ bool is_behind(StackEntry rest, float distance) {
    const float enter = __uint_as_float(rest.enter & ~0xFFU);
    return fmaf(-0x1p-14f, fabsf(enter), enter) > distance;
}

/* The spheres of the leaves that the ray hits, a bit each. */
static __device__ __forceinline__ unsigned balls_of(unsigned hits, uint2 leaves) {
    unsigned balls = 0;
    for (; hits; hits &= hits - 1) {
        const unsigned child = (unsigned)__ffs((int)hits) - 1;
        const unsigned leaf = (child < 4 ? leaves.x : leaves.y) >> 8 * (child % 4) & 0xFF;
        balls |= leaf >> 5 << (leaf & 31);
    }
    return balls;
}

/* A ray's waiting entries: the first NEAR in shared memory, since nearly all rays have no more, the others in memory of
 * its own. */
template <int NEAR> struct TraversalStack {
    StackEntry *near; /* TRACE_THREADS apart */
    StackEntry far[STACK];

    __device__ __forceinline__ StackEntry get(int i) const { return i < NEAR ? near[i * TRACE_THREADS] : far[i]; }
    __device__ __forceinline__ void put(int i, StackEntry rest) {
        if (i < NEAR)
            near[i * TRACE_THREADS] = rest;
        else
            far[i] = rest;
    }
};

/* A ray on its way through the BVH. */
typedef struct Traversal {
    Ray ray;
    Bvh8Ray boxed;
    Hit hit;
    unsigned node;
    int depth;
} Traversal;

static __device__ __forceinline__ void traversal_begin(const Bvh8 &bvh8, Traversal *traversal, const Ray &ray) {
    traversal->ray = ray;
    traversal->boxed = bvh8_ray(bvh8, ray);
    traversal->hit = hit_none();
    traversal->node = 0;
    traversal->depth = 0;
}

/* The next of those that wait, unless all of a node's have fallen behind a hit meanwhile; false: none. */
template <int NEAR>
static __device__ __forceinline__ bool traversal_pop(Traversal *traversal, TraversalStack<NEAR> *stack) {
    while (traversal->depth > 0) {
        StackEntry top = stack->get(traversal->depth - 1);
        const unsigned others = top.enter & 0xFF;
        traversal->depth--;
        if (is_behind(top, traversal->hit.distance))
            continue;
        traversal->node = top.first_node + (unsigned)__ffs((int)others) - 1;
        top.enter &= top.enter - 1;
        if (others & (others - 1))
            stack->put(traversal->depth++, top);
        return true;
    }
    return false;
}

/* Visits a node, then goes to the nearest of its children. False at the end of the way: the nearest hit is known, or
 * with ANY one nearer than `t_max`. LIGHT: for rays that may begin on a surface. */
template <bool ANY, bool LIGHT, int NEAR>
static __device__ __forceinline__ bool traversal_step(const Bvh8 &bvh8, Traversal *traversal,
                                                      TraversalStack<NEAR> *stack, float t_max) {
    Links links;
    const ChildHits children =
        intersect_node(&bvh8.nodes[traversal->node], traversal->boxed, fminf(t_max, traversal->hit.distance), &links);
    const unsigned leaves = ~0U << links.nodes;
    for (unsigned balls = balls_of(children.hits & leaves, links.leaves); balls; balls &= balls - 1) {
        const unsigned ball = links.first_ball + (unsigned)__ffs((int)balls) - 1;
        offer_ball<LIGHT>(&traversal->hit, bvh8.balls[ball], bvh8.order[ball], traversal->ray);
        if (ANY && traversal->hit.distance < t_max)
            return false;
    }
    if (!(children.nearest < INFINITY))
        return traversal_pop(traversal, stack);
    const unsigned child = __float_as_uint(children.nearest) & 7, others = children.hits & ~leaves & ~(1U << child);
    if (others) {
        const StackEntry rest = {links.first_node, (__float_as_uint(children.second) & ~0xFFU) | others};
        stack->put(traversal->depth++, rest);
    }
    traversal->node = links.first_node + child;
    return true;
}

/* The whole way: the nearest hit; or with ANY, whatever comes first of those nearer than `t_max`. */
template <bool ANY> static __device__ __forceinline__ Hit bvh8_hit(const Bvh8 &bvh8, const Ray &ray, float t_max) {
    Traversal traversal;
    TraversalStack<0> stack;
    traversal_begin(bvh8, &traversal, ray);
    if (!ANY)
        traversal.hit = hit_start(ray);
    for (bool going = !bvh8.empty; going;)
        going = traversal_step<ANY, true>(bvh8, &traversal, &stack, t_max);
    return traversal.hit;
}

#endif
