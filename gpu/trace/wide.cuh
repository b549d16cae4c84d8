/* wide.cuh: a hierarchy of eight boxes a node, whose planes are a byte each, and how a ray walks through it (Ylitie,
 * Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs, High Performance Graphics
 * 2017). Rays that go different ways wait for memory: a visit of 80 bytes here decides about as much as seven of 64
 * bytes in the binary tree. */
#ifndef GLINT_GPU_TRACE_WIDE_CUH
#define GLINT_GPU_TRACE_WIDE_CUH

#include "gpu/trace/hierarchy.cuh"

enum { WIDE = 8, INNER_BITS = 24 /* where the bits of inner children begin; those of spheres are below */ };

/* Child i's planes along an axis are at origin + byte i * 2^exponent, rounded outward. The eight places for children
 * stand for the eight octants, seen from the node's middle; a place may be empty. */
struct __align__(16) WideNode {
    float origin[3];
    uint8_t exponent[3]; /* as in a float's bits */
    uint8_t inner;       /* which children are nodes */
    unsigned first_node; /* the inner children are one behind the other from here on */
    unsigned first_ball; /* and so are the spheres of the others */
    uint64_t meta;       /* a byte a child, see meta_of_* */
    uint64_t low[3], high[3];
};

/* A child's byte: in the upper three bits a 1 for each thing to visit, in the lower five the place of the first of
 * these bits among a group's hits; 0: there is no child. */
static __device__ __forceinline__ unsigned meta_of_inner(int place) {
    return 1U << 5 | (unsigned)(INNER_BITS + place);
}
static __device__ __forceinline__ unsigned meta_of_leaf(unsigned first, unsigned count) {
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

/* What is left to visit of a node's children. In `hits`, the upper eight bits are inner children, the first to visit
 * highest, and the lower eight the node's `inner`; or the lower 24 are spheres. */
typedef struct Group {
    unsigned first, hits;
} Group;

static __device__ __forceinline__ bool has_inner(Group group) {
    return group.hits >> INNER_BITS != 0;
}

/* A ray as nodes want it. Places are visited by place ^ octant, downward, so that of two along an axis the ray comes to
 * the nearer first. */
typedef struct WideRay {
    Vec origin, inverse;
    float least;
    unsigned octant; /* four times, a byte each */
} WideRay;

static __device__ __forceinline__ WideRay wide_ray(const Ray &ray) {
    WideRay wide;
    wide.origin = ray.origin;
    wide.inverse = vec(inverse_of(ray.direction.x), inverse_of(ray.direction.y), inverse_of(ray.direction.z));
    wide.least = ray.least;
    wide.octant = ((wide.inverse.x > 0 ? 1U : 0U) | (wide.inverse.y > 0 ? 2U : 0U) | (wide.inverse.z > 0 ? 4U : 0U)) *
                  0x01010101U;
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

/* The bits of meta's four children, each where the ray's octant wants it: inner ones are known by the two upper bits of
 * their place. */
static __device__ __forceinline__ unsigned places_of(unsigned meta, unsigned octant) {
    const unsigned inner = (meta & meta << 1) & 0x10101010U;
    return (meta ^ (octant & (inner >> 4) * 0xFFU)) & 0x1F1F1F1FU;
}

/* The bits of those of four children whose boxes the ray meets between its `least` and `most`. */
static __device__ __forceinline__ unsigned meet_four(const WideRay &ray, float most, unsigned meta, const Axis &x,
                                                     const Axis &y, const Axis &z, uint3 near, uint3 far) {
    const unsigned places = places_of(meta, ray.octant), bits = meta >> 5 & 0x07070707U;
    unsigned hits = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float in = fmaxf(fmaxf(fmaf(biased_byte(near.x, i), x.scale, x.near),
                                     fmaf(biased_byte(near.y, i), y.scale, y.near)),
                               fmaxf(fmaf(biased_byte(near.z, i), z.scale, z.near), ray.least));
        const float out = fminf(
            fminf(fmaf(biased_byte(far.x, i), x.scale, x.far), fmaf(biased_byte(far.y, i), y.scale, y.far)),
            fminf(fmaf(biased_byte(far.z, i), z.scale, z.far), most));
        if (in <= out)
            hits |= (bits >> 8 * i & 0xFF) << (places >> 8 * i & 0xFF);
    }
    return hits;
}

/* Which children of a node the ray meets: nodes and spheres. */
static __device__ __forceinline__ void meet_node(const WideNode *node, const WideRay &ray, float most, Group *nodes,
                                                 Group *balls) {
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
    const unsigned hits = meet_four(ray, most, links.z, x, y, z, make_uint3(near_x.x, near_y.x, near_z.x),
                                    make_uint3(far_x.x, far_y.x, far_z.x)) |
                          meet_four(ray, most, links.w, x, y, z, make_uint3(near_x.y, near_y.y, near_z.y),
                                    make_uint3(far_x.y, far_y.y, far_z.y));
    const unsigned all_inner = ~0U << INNER_BITS;
    nodes->first = links.x;
    nodes->hits = (hits & all_inner) | head.w >> 24;
    balls->first = links.y;
    balls->hits = hits & ~all_inner;
}

/* Takes the first inner child off a group, and says which node it is. */
static __device__ __forceinline__ unsigned next_node(Group *group, unsigned octant) {
    const unsigned bit = 31 - (unsigned)__clz((int)group->hits), place = (bit - INNER_BITS) ^ (octant & 7);
    group->hits &= ~(1U << bit);
    return group->first + (unsigned)__popc(group->hits & ~(~0U << place));
}

/* The nearest hit; or with ANY, whatever comes first of those nearer than `most`. */
template <bool ANY>
static __device__ __forceinline__ Hit wide_hit(const Wide &wide, const Ray &ray, float most) {
    const WideRay boxed = wide_ray(ray);
    Group stack[STACK], nodes = {0, wide.empty ? 0U : 1U << 31}, balls; /* the root's bit, whatever the octant */
    int depth = 0;
    Hit hit = hit_none();
    while (has_inner(nodes)) {
        const unsigned node = next_node(&nodes, boxed.octant);
        if (has_inner(nodes))
            stack[depth++] = nodes;
        meet_node(&wide.nodes[node], boxed, fminf(most, hit.distance), &nodes, &balls);
        for (; balls.hits; balls.hits &= balls.hits - 1) {
            const unsigned ball = balls.first + (unsigned)__ffs((int)balls.hits) - 1;
            offer_ball(&hit, wide.balls[ball], wide.order[ball], ray);
            if (ANY && hit.distance < most)
                return hit;
        }
        if (!has_inner(nodes) && depth > 0)
            nodes = stack[--depth];
    }
    return hit;
}

#endif
