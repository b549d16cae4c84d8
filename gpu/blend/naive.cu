/* naive.cu: one thread a pixel, in double. Types and channels are looked at at run time. */
#include "gpu/blend/pixel.cuh"

__global__ void blend_naive(const __grid_constant__ Sources from, const __grid_constant__ BlendJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < from.in.plane.width && y < from.in.plane.height)
        blend_at(from, job, x, y);
}

static Status run(Queue *queue, const Stage *stage) {
    Sources from = sources_of(stage);
    BlendJob job = *blend_job(stage);
    const Plane in = from.in.plane;
    const Launch launch = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&from, &job};
    return gpu_launch(queue, "blend naive", (const void *)blend_naive, launch, arguments);
}

extern "C" const Level cuda_blend_naive = {
    .op = &op_blend,
    .name = "naive",
    .idea = "one thread a pixel, in double",
    .run = run,
};
