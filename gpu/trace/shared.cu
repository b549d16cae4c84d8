/* shared.cu: the spheres pass through shared memory, a tile of them at a time: one load a thread serves the block. */
#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
}

__global__ void trace_shared(const __grid_constant__ View view, const float4 *__restrict__ balls, unsigned count) {
    __shared__ float4 tile[TRACE_THREADS];
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (unsigned first = 0; first < count; first += TRACE_THREADS) {
        __syncthreads(); /* the tile before was read by all */
        if (first + threadIdx.x < count)
            tile[threadIdx.x] = balls[first + threadIdx.x];
        __syncthreads();
        const unsigned here = min(count - first, (unsigned)TRACE_THREADS);
        for (unsigned i = 0; i < here; i++)
            offer_ball(&hit, tile[i], first + i, pixel.ray);
    }
    show(view, pixel, hit);
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->balls, &scene->count};
    return gpu_launch(queue, "trace shared", (const void *)trace_shared, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_shared = {
    .op = &op_trace,
    .name = "shared",
    .idea = "128 spheres at a time in shared memory: each thread loads one for the whole block",
    .accepts = accepts_nearest,
    .run = run,
};
