/* blocks.cu: 128 blocks of one thread each: 31 of the 32 lanes of each warp are idle. */
#include "gpu/blend/values.cuh"

template <typename T>
__global__ void blend_blocks(const __grid_constant__ Vectors vectors, const __grid_constant__ BlendJob job) {
    blend_every<T>(vectors, job, blockIdx.x, gridDim.x);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_values(stage, 0x1p24, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = BY_VALUE(blend_blocks);
    return run_values(queue, stage, "blend blocks", kernels, dim3(128), dim3(1));
}

extern "C" const Level cuda_blend_blocks = {
    .op = &op_blend,
    .name = "blocks",
    .idea = "128 blocks of one thread: they run at once, but of each warp 31 lanes are idle",
    .accepts = accepts,
    .run = run,
};
