/* bvh_build.cuh: the parts that the builders of BVHs share: boxes. */
#ifndef GLINT_GPU_TRACE_BVH_BUILD_CUH
#define GLINT_GPU_TRACE_BVH_BUILD_CUH

#include "gpu/parts.cuh"
#include "gpu/trace/bvh2.cuh"

typedef struct Box {
    float min[3], max[3];
} Box;

static __device__ __forceinline__ Box join(const Box &a, const Box &b) {
    Box box;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        box.min[i] = fminf(a.min[i], b.min[i]);
        box.max[i] = fmaxf(a.max[i], b.max[i]);
    }
    return box;
}

/* Around a leaf's spheres. */
static __device__ __forceinline__ Box box_of(const float4 *sorted, int leaf) {
    const unsigned first = first_of(leaf), end = first + count_of(leaf);
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (unsigned i = first; i < end; i++) {
        const float4 ball = sorted[i];
        const Box one = {{__fsub_rd(ball.x, ball.w), __fsub_rd(ball.y, ball.w), __fsub_rd(ball.z, ball.w)},
                         {__fadd_ru(ball.x, ball.w), __fadd_ru(ball.y, ball.w), __fadd_ru(ball.z, ball.w)}};
        box = join(box, one);
    }
    return box;
}

/* May have been written by another thread of the same launch: not from a cache that may be stale. */
static __device__ __forceinline__ Box get_box(const Bvh2Node *node, bool right) {
    const float2 x = __ldcg((const float2 *)&node->x + right), y = __ldcg((const float2 *)&node->y + right),
                 z = __ldcg((const float2 *)&node->z + right);
    const Box box = {{x.x, y.x, z.x}, {x.y, y.y, z.y}};
    return box;
}

#endif
