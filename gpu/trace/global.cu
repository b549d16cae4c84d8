/* global.cu: the course's first program: one thread a pixel, a loop over all spheres, which lie as an array of
 * structures in global memory. */
#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
}

__global__ void trace_global(const __grid_constant__ View view, const Sphere *__restrict__ spheres, unsigned count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (unsigned i = 0; i < count; i++)
        hit_offer(&hit, sphere_centre(&spheres[i]), spheres[i].radius, i, pixel.ray);
    show(view, pixel, hit);
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->spheres, &scene->count};
    return gpu_launch(queue, "trace global", (const void *)trace_global, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_global = {
    .op = &op_trace,
    .name = "global",
    .idea = "one thread a pixel, every sphere from an array of structures in global memory",
    .accepts = accepts_nearest,
    .run = run,
};
