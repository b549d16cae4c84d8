/* soa.cu: the loop's data apart from all other: centre and radius as four floats, which one 16-byte load brings.
 * Colours wait until a sphere has won. */
#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
#include "gpu/trace/measured.h"
}

__global__ void trace_soa(const __grid_constant__ View view, const float4 *__restrict__ balls, unsigned count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (unsigned i = 0; i < count; i++)
        offer_ball(&hit, balls[i], i, pixel.ray);
    show(view, pixel, hit);
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->balls, &scene->count};
    return gpu_launch(queue, "trace soa", (const void *)trace_soa, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_soa = {
    .op = &op_trace,
    .name = "soa",
    .idea = "centres and radii apart from colours: one 16-byte load a sphere",
    .accepts = accepts_nearest,
    .predictor = &trace_measured,
    .run = run,
};
