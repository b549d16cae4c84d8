/* wide.cuh: a hierarchy of eight boxes a node, whose planes are a byte each, and how a ray walks through it (Ylitie,
 * Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, High Performance Graphics
 * 2017). Theirs visits children in the order of the octants in which they lie; here it is the nearest and then the
 * others, with the distance of the second kept beside them: what lies behind a hit is never loaded, which saves more
 * visits than any order. */
#ifndef GLINT_GPU_TRACE_WIDE_CUH
#define GLINT_GPU_TRACE_WIDE_CUH

#include "gpu/trace/hierarchy.cuh"

enum { WIDE = 8 };

/* Child i's planes along an axis are at origin + byte i * 2^exponent, rounded outward. Children that are nodes come
 * before those that are leaves. */
struct __align__(16) WideNode {
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

typedef struct Wide {
    const WideNode *nodes;
    const float4 *balls;
    const unsigned *order; /* which sphere of the scene each is */
    bool empty;
    unsigned bias; /* the bits of BYTE_BIAS; as a constant they would cost each plane an instruction more */
} Wide;

static inline Wide wide_of(const GpuScene *scene) {
    const Wide wide = {scene->wide_nodes, scene->wide_balls, scene->wide_order, scene->count == 0, 0x47000000U};
    return wide;
}

/* A ray as boxes want it. */
typedef struct WideRay {
    Vec origin, inverse;
    float least;
    unsigned bias;
} WideRay;

static __device__ __forceinline__ WideRay wide_ray(const Wide &from, const Ray &ray) {
    const WideRay wide = {ray.origin,
                          vec(inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z)),
                          ray.least, from.bias};
    return wide;
}

/* Along one axis: the distance to the plane at byte b is (b + BYTE_BIAS) * scale + near, or far: these are moved apart
 * by more than rounding can amount to, which is at most 6 units in the last place of the two terms (PLANE_SLACK are 8).
 */
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
static __device__ __forceinline__ float plane_at(const WideRay &ray, float scale, unsigned bytes, int i, float offset) {
    return fmaf(__uint_as_float(__byte_perm(bytes, ray.bias, 0x7404U | (unsigned)i << 4)), scale, offset);
}

/* Which children of a node the ray meets. */
typedef struct Met {
    unsigned hits; /* a bit a child */
    /* Where the ray enters the nearest of those that are nodes, with its number in the last three bits; and where it
     * enters the second. INFINITY: there is none. */
    float nearest, second;
} Met;

/* Four children, of which the first has the number `first`. */
static __device__ __forceinline__ void meet_four(const WideRay &ray, float most, unsigned nodes, int first,
                                                 const Axis &x, const Axis &y, const Axis &z, uint3 near, uint3 far,
                                                 Met *met) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float in =
            fmaxf(fmaxf(plane_at(ray, x.scale, near.x, i, x.near), plane_at(ray, y.scale, near.y, i, y.near)),
                  fmaxf(plane_at(ray, z.scale, near.z, i, z.near), ray.least));
        const float out = fminf(fminf(plane_at(ray, x.scale, far.x, i, x.far), plane_at(ray, y.scale, far.y, i, y.far)),
                                fminf(plane_at(ray, z.scale, far.z, i, z.far), most));
        const unsigned child = (unsigned)(first + i);
        const bool hit = in <= out;
        const float enter = hit && child < nodes ? __uint_as_float((__float_as_uint(in) & ~7U) | child) : INFINITY;
        met->hits |= hit ? 1U << child : 0;
        met->second = fminf(met->second, fmaxf(met->nearest, enter));
        met->nearest = fminf(met->nearest, enter);
    }
}

/* A node's links, once its boxes have been looked at. */
typedef struct Links {
    unsigned nodes, first_node, first_ball;
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
    to->nodes = head.w >> 24;
    to->first_node = links.x;
    to->first_ball = links.y;
    to->leaves = make_uint2(links.z, links.w);
    meet_four(ray, most, to->nodes, 0, x, y, z, make_uint3(near_x.x, near_y.x, near_z.x),
              make_uint3(far_x.x, far_y.x, far_z.x), &met);
    meet_four(ray, most, to->nodes, 4, x, y, z, make_uint3(near_x.y, near_y.y, near_z.y),
              make_uint3(far_x.y, far_y.y, far_z.y), &met);
    return met;
}

/* Children that are left to visit of a node: where the ray enters the nearest of them, to 15 bits, and in the last
 * eight bits which they are. */
typedef struct Rest {
    unsigned first_node, enter;
} Rest;

/* Whether all of them are behind what the ray has met: the bits that are missing are allowed for. */
static __device__ __forceinline__ bool is_behind(Rest rest, float distance) {
    const float enter = __uint_as_float(rest.enter & ~0xFFU);
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

/* The nearest hit; or with ANY, whatever comes first of those nearer than `most`. Of a node's children the nearest is
 * visited first, and the others as they come, unless all of them have fallen behind what was met meanwhile. */
template <bool ANY> static __device__ __forceinline__ Hit wide_hit(const Wide &wide, const Ray &ray, float most) {
    const WideRay boxed = wide_ray(wide, ray);
    Rest stack[STACK];
    int depth = 0;
    unsigned node = 0;
    Hit hit = hit_none();
    if (wide.empty)
        return hit;
    for (;;) {
        Links links;
        const Met met = meet_node(&wide.nodes[node], boxed, fminf(most, hit.distance), &links);
        const unsigned leaves = ~0U << links.nodes;
        for (unsigned balls = balls_of(met.hits & leaves, links.leaves); balls; balls &= balls - 1) {
            const unsigned ball = links.first_ball + (unsigned)__ffs((int)balls) - 1;
            offer_ball(&hit, wide.balls[ball], wide.order[ball], ray);
            if (ANY && hit.distance < most)
                return hit;
        }
        if (met.nearest < INFINITY) {
            const unsigned child = __float_as_uint(met.nearest) & 7, others = met.hits & ~leaves & ~(1U << child);
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
        Rest *rest = &stack[depth - 1];
        node = rest->first_node + (unsigned)__ffs((int)rest->enter) - 1;
        rest->enter &= rest->enter - 1;
        if ((rest->enter & 0xFF) == 0)
            depth--;
    }
}

#endif
