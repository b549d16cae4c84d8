/* wide.cuh: a hierarchy of eight boxes a node, whose planes are a byte each, and how a ray walks through it (Ylitie,
 * Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, High Performance Graphics
 * 2017). Rays that go different ways wait for memory: a visit of 80 bytes here decides about as much as seven of 64
 * bytes in the binary tree. */
#ifndef GLINT_GPU_TRACE_WIDE_CUH
#define GLINT_GPU_TRACE_WIDE_CUH

#include "gpu/trace/hierarchy.cuh"

enum { WIDE = 8 };

/* Child i's planes along an axis are at origin + byte i * 2^exponent, rounded outward. Children that are nodes come
 * before those that are leaves. */
struct __align__(16) WideNode {
    float origin[3];
    uint8_t exponent[3]; /* as in a float's bits */
    uint8_t inner;       /* a bit for each child that is a node */
    unsigned first_node; /* the first child; the other nodes are behind it */
    unsigned first_ball; /* so are the spheres of the leaves */
    uint64_t leaves;     /* a byte a child: see leaf_byte; 0: there is no child, or no leaf */
    uint64_t low[3], high[3];
};

/* A leaf: in the upper three bits a 1 for each sphere, in the lower five which of the node's spheres is the first. */
static __device__ __forceinline__ unsigned leaf_byte(unsigned first, unsigned count) {
    return ((1U << count) - 1) << 5 | first;
}

typedef struct Wide {
    const WideNode *nodes;
    const float4 *balls;
    const unsigned *order; /* which sphere of the scene each is */
    bool empty;
} Wide;

static inline Wide wide_of(const GpuScene *scene) {
    const Wide wide = {scene->wide_nodes, scene->wide_balls, scene->wide_order, scene->count == 0};
    return wide;
}

/* A ray as boxes want it. */
typedef struct WideRay {
    Vec origin, inverse;
    float least;
} WideRay;

static __device__ __forceinline__ WideRay wide_ray(const Ray &ray) {
    const WideRay wide = {ray.origin,
                          vec(inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z)),
                          ray.least};
    return wide;
}

/* A byte of four as a float: the second byte of 2^15 counts ones, so that to put it there makes 2^15 + byte. */
#define BYTE_BIAS 32768.0f
static __device__ __forceinline__ float biased_byte(unsigned bytes, int i) {
    return __uint_as_float(__byte_perm(bytes, 0x47000000U, 0x7404U | (unsigned)i << 4));
}

/* Along one axis: the distance to the plane at a biased byte b is b * scale + near, or far: moved apart by more than
 * rounding can amount to, which is at most 6 units in the last place of the two terms (PLANE_SLACK are 8). */
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

/* Which children of a node the ray meets. */
typedef struct Met {
    unsigned hits; /* a bit a child */
    /* Where the ray enters the nearest of those that are nodes, with its number in the last three bits; and where it
     * enters the second. INFINITY: there is none. */
    float nearest, second;
} Met;

/* Four children, of which the first has the number `first`. */
static __device__ __forceinline__ void meet_four(const WideRay &ray, float most, unsigned inner, int first,
                                                 const Axis &x, const Axis &y, const Axis &z, uint3 near, uint3 far,
                                                 Met *met) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float in =
            fmaxf(fmaxf(fmaf(biased_byte(near.x, i), x.scale, x.near), fmaf(biased_byte(near.y, i), y.scale, y.near)),
                  fmaxf(fmaf(biased_byte(near.z, i), z.scale, z.near), ray.least));
        const float out =
            fminf(fminf(fmaf(biased_byte(far.x, i), x.scale, x.far), fmaf(biased_byte(far.y, i), y.scale, y.far)),
                  fminf(fmaf(biased_byte(far.z, i), z.scale, z.far), most));
        const unsigned child = (unsigned)(first + i);
        const bool hit = in <= out;
        const float key = hit && (inner >> child & 1) ? __uint_as_float((__float_as_uint(in) & ~7U) | child) : INFINITY;
        met->hits |= hit ? 1U << child : 0;
        met->second = fminf(met->second, fmaxf(met->nearest, key));
        met->nearest = fminf(met->nearest, key);
    }
}

/* A node's links, once its boxes have been looked at. */
typedef struct Links {
    unsigned inner, first_node, first_ball;
    uint2 leaves;
} Links;

static __device__ __forceinline__ Met meet_node(const WideNode *node, const WideRay &ray, float most, Links *to) {
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
    Met met = {0, INFINITY, INFINITY};
    to->inner = head.w >> 24;
    to->first_node = links.x;
    to->first_ball = links.y;
    to->leaves = make_uint2(links.z, links.w);
    meet_four(ray, most, to->inner, 0, x, y, z, make_uint3(near_x.x, near_y.x, near_z.x),
              make_uint3(far_x.x, far_y.x, far_z.x), &met);
    meet_four(ray, most, to->inner, 4, x, y, z, make_uint3(near_x.y, near_y.y, near_z.y),
              make_uint3(far_x.y, far_y.y, far_z.y), &met);
    return met;
}

/* Children that are left to visit of a node: where the ray enters the nearest of them, to 15 bits, and in the last
 * eight bits which they are. */
typedef struct Rest {
    unsigned first_node, distance_hits;
} Rest;

/* Whether all of them are behind what the ray has met: the bits that are missing are allowed for. */
static __device__ __forceinline__ bool is_behind(Rest rest, float distance) {
    const float enter = __uint_as_float(rest.distance_hits & ~0xFFU);
    return fmaf(-0x1p-14f, fabsf(enter), enter) > distance;
}

/* The spheres of the leaves that the ray meets, a bit each. */
static __device__ __forceinline__ unsigned balls_of(unsigned hits, uint2 leaves) {
    unsigned balls = 0;
    for (; hits; hits &= hits - 1) {
        const unsigned child = (unsigned)__ffs((int)hits) - 1;
        const unsigned leaf = (child < 4 ? leaves.x : leaves.y) >> 8 * (child % 4) & 0xFF;
        balls |= leaf >> 5 << (leaf & 31);
    }
    return balls;
}

/* The nearest hit; or with ANY, whatever comes first of those nearer than `most`. The nearest child of a node is
 * visited first, the others as they come, unless all of them have fallen behind what was met meanwhile. */
template <bool ANY> static __device__ __forceinline__ Hit wide_hit(const Wide &wide, const Ray &ray, float most) {
    const WideRay boxed = wide_ray(ray);
    Rest stack[STACK];
    int depth = 0;
    unsigned node = 0;
    Hit hit = hit_none();
    if (wide.empty)
        return hit;
    for (;;) {
        Links links;
        const Met met = meet_node(&wide.nodes[node], boxed, fminf(most, hit.distance), &links);
        for (unsigned balls = balls_of(met.hits & ~links.inner, links.leaves); balls; balls &= balls - 1) {
            const unsigned ball = links.first_ball + (unsigned)__ffs((int)balls) - 1;
            offer_ball(&hit, wide.balls[ball], wide.order[ball], ray);
            if (ANY && hit.distance < most)
                return hit;
        }
        if (met.nearest < INFINITY) {
            const unsigned child = __float_as_uint(met.nearest) & 7, others = met.hits & links.inner & ~(1U << child);
            if (others) {
                const Rest rest = {links.first_node, (__float_as_uint(met.second) & ~0xFFU) | others};
                stack[depth++] = rest;
            }
            node = links.first_node + child;
            continue;
        }
        while (depth > 0 && is_behind(stack[depth - 1], hit.distance))
            depth--;
        if (depth == 0)
            return hit;
        Rest *top = &stack[depth - 1];
        const unsigned others = top->distance_hits & 0xFF;
        node = top->first_node + (unsigned)__ffs((int)others) - 1;
        top->distance_hits &= top->distance_hits - 1;
        if ((others & (others - 1)) == 0)
            depth--;
    }
}

#endif
