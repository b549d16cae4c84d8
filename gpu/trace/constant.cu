/* constant.cu: the course's second program: the spheres in constant memory, which serves a warp that wants one sphere
 * with one read. */
#include "gpu/trace/constant.cuh"

__global__ void trace_constant(const __grid_constant__ View view, unsigned count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    offer_constant(&hit, 0, count, pixel.ray);
    show(view, pixel, hit);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "constant memory holds 2048 spheres, and the scene has more";
    return trace_job(stage)->scene->count <= CONSTANT_SPHERES;
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    TRY(fill(queue, scene, 0, scene->count));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->count};
    return gpu_launch(queue, "trace constant", (const void *)trace_constant, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_constant = {
    .op = &op_trace,
    .name = "constant",
    .idea = "the spheres in constant memory: a warp reads each one once, from a cache of its own",
    .accepts = accepts,
    .run = run,
};
