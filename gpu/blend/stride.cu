/* stride.cu: a grid-stride loop of as many threads as the device holds at once. */
#include "gpu/blend/values.cuh"

template <typename T>
__global__ void blend_stride(const __grid_constant__ Vectors vectors, const __grid_constant__ BlendJob job) {
    blend_every<T>(vectors, job, (size_t)blockIdx.x * blockDim.x + threadIdx.x, (size_t)gridDim.x * blockDim.x);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_values(stage, 0x1p40, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = BY_VALUE(blend_stride);
    return run_values(queue, stage, "blend stride", kernels,
                      dim3((unsigned)gpu_of(queue->device)->limits.multiProcessorCount * 8), dim3(256));
}

extern "C" const Level cuda_blend_stride = {
    .op = &op_blend,
    .name = "stride",
    .idea = "a grid-stride loop: as many threads as the device holds, each takes every so many-th value",
    .accepts = accepts,
    .run = run,
};
