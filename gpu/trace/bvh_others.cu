/* bvh_others.cu: bvh.cu's work for scenes that have triangles or cylinders. A ray traverses the tree over the spheres,
 * then the tree over all others, no farther than the nearest hit. Apart, because others take registers that spheres do
 * not. */
#include "gpu/trace/bvh2_world.cuh"

template <Look LOOK, bool RICH>
__global__ void __launch_bounds__(TRACE_THREADS, LIGHT_BLOCKS)
    bvh_others_light(const __grid_constant__ View view, const __grid_constant__ World world,
                     const __grid_constant__ ShadingContext context, const __grid_constant__ LightJob job) {
    gather_light<LOOK, RICH>(view, world, context, job);
}

template <bool TOGETHER>
__global__ void __launch_bounds__(TRACE_THREADS)
    bvh_others_nearest(const __grid_constant__ View view, const __grid_constant__ World world) {
    const Pixel pixel = pixel_of(view);
    show_hit(view, pixel, closest_in<TOGETHER, false>(world, pixel.ray), world.others.around);
}

extern "C" Status gpu_bvh_others(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    World world;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(world_over(queue, trace_job(stage)->scene, scene, &world));
    View view = view_of(stage, scene);
    if (look_is_light(view.look)) {
        TRY(gpu_shading_context(queue, trace_job(stage)->scene, scene));
        return launch_light(queue, "trace bvh", view, stage, scene, world, bvh_others_light<LOOK_WHITTED, false>,
                            bvh_others_light<LOOK_PATHS, false>, bvh_others_light<LOOK_PATHS, true>);
    }
    void *arguments[] = {&view, &world};
    const void *kernel = view.camera.kind == CAMERA_RANDOM ? (const void *)bvh_others_nearest<false>
                                                           : (const void *)bvh_others_nearest<true>;
    return gpu_launch(queue, "trace bvh", kernel, launch_of(view), arguments);
}
