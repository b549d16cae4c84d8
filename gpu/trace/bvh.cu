/* bvh.cu: one thread a ray, through a BVH that is built on the device: most spheres are never looked
 * at. */
#define SPHERES_ONLY /* bvh_others.cu is for the others */
#include "gpu/trace/bvh2_world.cuh"

extern "C" {
#include "gpu/trace/measured.h"
}

template <Look LOOK, bool RICH>
__global__ void __launch_bounds__(TRACE_THREADS, LOOK == LOOK_PATHS && !RICH ? PATHS_BLOCKS : LIGHT_BLOCKS)
    trace_light(const __grid_constant__ View view, const __grid_constant__ World world,
                const __grid_constant__ ShadingContext context, const __grid_constant__ LightJob job) {
    gather_light<LOOK, RICH>(view, world, context, job);
}

template <bool TOGETHER>
__global__ void __launch_bounds__(TRACE_THREADS)
    trace_bvh(const __grid_constant__ View view, const __grid_constant__ Bvh2 bvh2) {
    const Pixel pixel = pixel_of(view);
    show(view, pixel, closest_hit<TOGETHER, false>(bvh2, pixel.ray));
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    if (trace_job(stage)->look == LOOK_NODES)
        return gpu_heat(queue, stage);
    if (gpu_has_others(trace_job(stage)->scene))
        return gpu_bvh_others(queue, stage);
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(gpu_bvh2(queue, scene));
    View view = view_of(stage, scene);
    Bvh2 bvh2 = bvh2_of(scene);
    if (look_is_light(view.look)) {
        TRY(gpu_shading_context(queue, trace_job(stage)->scene, scene));
        World world = {bvh2};
        return launch_light(queue, "trace bvh", view, stage, scene, world, trace_light<LOOK_WHITTED, false>,
                            trace_light<LOOK_PATHS, false>, trace_light<LOOK_PATHS, true>);
    }
    void *arguments[] = {&view, &bvh2};
    const void *kernel =
        view.camera.kind == CAMERA_RANDOM ? (const void *)trace_bvh<false> : (const void *)trace_bvh<true>;
    return gpu_launch(queue, "trace bvh", kernel, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_bvh = {
    .op = &op_trace,
    .name = "bvh",
    .idea = "a tree of boxes built on the device: a ray visits only boxes along its way",
    .predictor = &trace_measured,
    .run = run,
};
