/* bvh_triangles.cu: bvh.cu's work for scenes that have triangles. A ray traverses the tree over the spheres, then the
 * tree over the triangles, no farther than the nearest hit. Apart, because triangles take registers that spheres do
 * not. */
#include "gpu/trace/bvh2_world.cuh"

template <Look LOOK>
__global__ void __launch_bounds__(TRACE_THREADS, LIGHT_BLOCKS)
    bvh_triangles_light(const __grid_constant__ View view, const __grid_constant__ World world,
                        const __grid_constant__ ShadingContext context, const __grid_constant__ LightJob job) {
    gather_light<LOOK>(view, world, context, job);
}

template <bool TOGETHER>
__global__ void __launch_bounds__(TRACE_THREADS)
    bvh_triangles_nearest(const __grid_constant__ View view, const __grid_constant__ World world) {
    const Pixel pixel = pixel_of(view);
    show_hit(view, pixel, closest_in<TOGETHER, false>(world, pixel.ray), world.triangles.before,
             world.triangles.triangles);
}

extern "C" Status gpu_bvh_triangles(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    World world;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(world_over(queue, trace_job(stage)->scene, scene, &world));
    View view = view_of(stage, scene);
    if (look_is_light(view.look)) {
        TRY(gpu_shading_context(queue, trace_job(stage)->scene, scene));
        return launch_light(queue, "trace bvh", view, stage, scene, world, bvh_triangles_light<LOOK_WHITTED>,
                            bvh_triangles_light<LOOK_PATHS>);
    }
    void *arguments[] = {&view, &world};
    const void *kernel = view.camera.kind == CAMERA_RANDOM ? (const void *)bvh_triangles_nearest<false>
                                                           : (const void *)bvh_triangles_nearest<true>;
    return gpu_launch(queue, "trace bvh", kernel, launch_of(view), arguments);
}
