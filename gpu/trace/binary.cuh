/* binary.cuh: the binary hierarchy as the world that light is followed through.
 * bvh.cu includes it, and tally.cu, which counts besides. */
#ifndef GLINT_GPU_TRACE_BINARY_CUH
#define GLINT_GPU_TRACE_BINARY_CUH

#include "gpu/trace/hierarchy.cuh"

struct World {
    Hierarchy hierarchy;
#ifdef TALLY_COUNTS
    Tally *tally; /* a thread's own */
#endif
};

#include "gpu/trace/light.cuh"

HD Hit world_closest(const World *world, Ray ray) {
#ifdef __CUDA_ARCH__
    return closest_hit<false>(world->hierarchy, ray);
#else
    (void)world, (void)ray;
    return hit_none();
#endif
}

HD bool world_blocked(const World *world, Ray ray, float distance) {
#ifdef __CUDA_ARCH__
    return any_hit(world->hierarchy, ray, distance);
#else
    (void)world, (void)ray, (void)distance;
    return false;
#endif
}

#endif
