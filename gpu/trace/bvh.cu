/* bvh.cu: one thread a ray, through a hierarchy of boxes that is built on the device: most spheres are never looked
 * at. */
#include "gpu/trace/hierarchy.cuh"

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
    void *arguments[] = {&view, &hierarchy};
    const void *kernel =
        view.camera.kind == CAMERA_RANDOM ? (const void *)trace_bvh<false> : (const void *)trace_bvh<true>;
    return gpu_launch(device, "trace bvh", kernel, launch_of(view), arguments);
}
