/* global.cu: the course's first program: one thread a pixel, a loop over all spheres, which lie as an array of
 * structures in global memory. */
#include "gpu/trace/trace.cuh"

__global__ void trace_global(const __grid_constant__ View view, const Sphere *__restrict__ spheres, unsigned count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (unsigned i = 0; i < count; i++)
        hit_offer(&hit, sphere_centre(&spheres[i]), spheres[i].radius, i, pixel.ray);
    show(view, pixel, hit);
}

extern "C" Status cuda_trace_global(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->spheres, &scene->count};
    return gpu_launch(device, "trace global", (const void *)trace_global, launch_of(view), arguments);
}
