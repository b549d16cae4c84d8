/* bvh2_world.cuh: the binary BVHs as the world that light is followed through.
 * bvh.cu includes it for scenes of spheres alone, bvh_others.cu for scenes that have more, and ray_counters.cu, which
 * counts besides. */
#ifndef GLINT_GPU_TRACE_BVH2_WORLD_CUH
#define GLINT_GPU_TRACE_BVH2_WORLD_CUH

#include "gpu/trace/bvh2.cuh"

struct World {
    Bvh2 bvh2;
#ifndef SPHERES_ONLY
    Bvh2 others;
#endif
#ifdef RAY_COUNTERS
    RayCounters *counters; /* a thread's own */
#endif
};

#include "gpu/trace/film.cuh"

template <bool TOGETHER, bool NEAR>
static __device__ __forceinline__ Hit closest_in(const World &world, const Ray &ray) {
    const Hit hit = closest_hit<TOGETHER, NEAR>(world.bvh2, ray, NEAR ? hit_start(ray) : hit_none());
#ifndef SPHERES_ONLY
    if (world.others.around.some)
        return closest_hit<TOGETHER, NEAR, true>(world.others, ray, hit);
#endif
    return hit;
}

static __device__ __forceinline__ bool any_in(const World &world, const Ray &ray, float distance) {
    if (any_hit(world.bvh2, ray, distance))
        return true;
#ifndef SPHERES_ONLY
    return world.others.around.some && any_hit<true>(world.others, ray, distance);
#else
    return false;
#endif
}

GLINT_HD Hit world_closest_hit(const World *world, Ray ray) {
#ifdef __CUDA_ARCH__
    return closest_in<false, true>(*world, ray);
#else
    (void)world, (void)ray;
    return hit_none();
#endif
}

GLINT_HD bool world_any_hit(const World *world, Ray ray, float distance) {
#ifdef __CUDA_ARCH__
    return any_in(*world, ray, distance);
#else
    (void)world, (void)ray, (void)distance;
    return false;
#endif
}

#ifndef SPHERES_ONLY
/* Ensures that both BVHs are there. */
static inline Status world_over(Queue *queue, const Scene *scene, GpuScene *on_device, World *world) {
    World made = {};
    GpuScene *bounds;
    TRY(gpu_bvh2(queue, on_device));
    made.bvh2 = bvh2_of(on_device);
    made.others.around.before = on_device->count;
    if (gpu_has_others(scene)) {
        TRY(gpu_others(queue, scene, &bounds));
        TRY(gpu_bvh2(queue, bounds));
        made.others = bvh2_of_others(bounds, on_device);
    }
    *world = made;
    return STATUS_OK;
}
#endif

#endif
