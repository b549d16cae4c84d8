/* light.cuh: the world of core/hd/light.h on the device: the hierarchies.
 * The files that follow light include it: bvh.cu, for scenes of spheres alone; mesh.cu; and tally.cu, which counts
 * besides. */
#ifndef GLINT_GPU_TRACE_LIGHT_CUH
#define GLINT_GPU_TRACE_LIGHT_CUH

#include "gpu/trace/hierarchy.cuh"

struct World {
    Hierarchy hierarchy;
#ifndef SPHERES_ALONE
    Hierarchy triangles; /* without triangles: there are none */
#endif
#ifdef TALLY_COUNTS
    Tally *tally; /* a thread's own */
#endif
};

#include "core/hd/light.h"

template <bool TOGETHER> static __device__ __forceinline__ Hit closest_in(const World &world, const Ray &ray) {
    const Hit hit = closest_hit<TOGETHER>(world.hierarchy, ray);
#ifndef SPHERES_ALONE
    if (world.triangles.triangles)
        return closest_hit<TOGETHER, true>(world.triangles, ray, hit);
#endif
    return hit;
}

static __device__ __forceinline__ bool any_in(const World &world, const Ray &ray, float distance) {
    if (any_hit(world.hierarchy, ray, distance))
        return true;
#ifndef SPHERES_ALONE
    return world.triangles.triangles && any_hit<true>(world.triangles, ray, distance);
#else
    return false;
#endif
}

HD Hit world_closest(const World *world, Ray ray) {
#ifdef __CUDA_ARCH__
    return closest_in<false>(*world, ray);
#else
    (void)world, (void)ray;
    return hit_none();
#endif
}

HD bool world_blocked(const World *world, Ray ray, float distance) {
#ifdef __CUDA_ARCH__
    return any_in(*world, ray, distance);
#else
    (void)world, (void)ray, (void)distance;
    return false;
#endif
}

#ifndef SPHERES_ALONE
/* Sees to it that both hierarchies are there. */
static inline Status world_over(Device *device, const Scene *scene, GpuScene *on_device, World *world) {
    World made = {};
    GpuScene *bounds;
    TRY(gpu_hierarchy(device, on_device));
    made.hierarchy = hierarchy_of(on_device);
    if (scene->triangle_count > 0) {
        TRY(gpu_triangles(device, scene, &bounds));
        TRY(gpu_hierarchy(device, bounds));
        made.triangles = hierarchy_of_triangles(bounds, on_device);
    }
    *world = made;
    return STATUS_OK;
}
#endif

/* What of the picture is wanted, and how. */
typedef struct LightJob {
    Sampling sampling;
    int left, top, right, bottom, coarseness;
} LightJob;

static inline LightJob light_job(const Stage *stage) {
    const Part part = trace_part(stage);
    const LightJob job = {
        stage->trace.sampling,         (int)part.left,      (int)part.top, (int)(part.left + part.width),
        (int)(part.top + part.height), (int)part.coarseness};
    return job;
}

static inline Launch launch_for(const LightJob &job) {
    return launch_over((int)blocks_for(job.right - job.left, job.coarseness),
                       (int)blocks_for(job.bottom - job.top, job.coarseness));
}

/* All samples of a thread's pixel, one after the other; coarse parts repeat it. The look is an argument of the
 * template, so that a kernel has the registers of one. */
template <Look LOOK>
static __device__ __forceinline__ void gather_light(const View &view, const World &world, const Setting &setting,
                                                    const LightJob &job) {
    const int2 place = place_of();
    const int left = job.left + place.x * job.coarseness, top = job.top + place.y * job.coarseness;
    if (left >= job.right || top >= job.bottom)
        return;
    Gathered *pixel = row_to<Gathered>(view.out, top) + left;
    light_gather(&world, &setting, view.camera, LOOK, job.sampling, (size_t)left, (size_t)top, (size_t)view.out.width,
                 (size_t)view.out.height, pixel);
    if (job.coarseness > 1)
        for (int y = top; y < min(top + job.coarseness, job.bottom); y++)
            for (int x = left; x < min(left + job.coarseness, job.right); x++)
                row_to<Gathered>(view.out, y)[x] = *pixel;
}

#endif
