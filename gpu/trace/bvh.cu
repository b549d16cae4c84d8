/* bvh.cu: one thread a ray, through a hierarchy of boxes that is built on the device: most spheres are never looked
 * at. */
#include "gpu/trace/hierarchy.cuh"

#include "core/hd/path.h"

struct World {
    Hierarchy hierarchy;
};

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

/* All paths of a pixel, one after the other. */
__global__ void __launch_bounds__(TRACE_THREADS)
    trace_paths(const __grid_constant__ View view, const __grid_constant__ World world,
                const __grid_constant__ Setting setting, uint32_t samples, uint32_t seed) {
    const Pixel pixel = pixel_of(view);
    if (!pixel.seen)
        return;
    const Vec light = path_pixel(&world, &setting, view.camera, (size_t)pixel.x, (size_t)pixel.y,
                                 (size_t)view.out.width, (size_t)view.out.height, samples, seed);
    show_light(view, pixel, light);
}

template <bool TOGETHER>
__global__ void __launch_bounds__(TRACE_THREADS)
    trace_bvh(const __grid_constant__ View view, const __grid_constant__ Hierarchy hierarchy) {
    const Pixel pixel = pixel_of(view);
    show(view, pixel, closest_hit<TOGETHER>(hierarchy, pixel.ray));
}

extern "C" Status cuda_trace_bvh(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, stage->trace.scene, &scene));
    TRY(gpu_hierarchy(device, scene));
    View view = view_of(stage, scene);
    Hierarchy hierarchy = hierarchy_of(scene);
    if (view.look == LOOK_PATHS) {
        TRY(gpu_setting(device, stage->trace.scene, scene));
        World world = {hierarchy};
        uint32_t samples = stage->trace.samples, seed = stage->trace.seed;
        void *arguments[] = {&view, &world, &scene->setting, &samples, &seed};
        return gpu_launch(device, "trace bvh", (const void *)trace_paths, launch_of(view), arguments);
    }
    void *arguments[] = {&view, &hierarchy};
    const void *kernel =
        view.camera.kind == CAMERA_RANDOM ? (const void *)trace_bvh<false> : (const void *)trace_bvh<true>;
    return gpu_launch(device, "trace bvh", kernel, launch_of(view), arguments);
}
