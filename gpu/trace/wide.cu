/* wide.cu: one thread a ray, through a hierarchy of eight compressed boxes a node. */
#include "gpu/trace/wide.cuh"

enum { BLOCKS = 10 /* on a multiprocessor: that many leave 48 registers a thread, which is enough */ };

__global__ void __launch_bounds__(TRACE_THREADS, BLOCKS)
    trace_wide(const __grid_constant__ View view, const __grid_constant__ Wide wide) {
    const Pixel pixel = pixel_of(view);
    show(view, pixel, wide_hit<false>(wide, pixel.ray, INFINITY));
}

extern "C" Status cuda_trace_wide(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, stage->trace.scene, &scene));
    TRY(gpu_wide(device, scene));
    View view = view_of(stage, scene);
    Wide wide = wide_of(scene);
    void *arguments[] = {&view, &wide};
    return gpu_launch(device, "trace wide", (const void *)trace_wide, launch_of(view), arguments);
}
