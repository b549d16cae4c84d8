/* threads.cu: 128 blocks of 128 threads: neighbours are read together, but the device holds ten times as many threads.
 */
#include "gpu/blend/values.cuh"

template <typename T>
__global__ void blend_threads(const __grid_constant__ Vectors vectors, const __grid_constant__ BlendJob job) {
    blend_every<T>(vectors, job, (size_t)blockIdx.x * blockDim.x + threadIdx.x, (size_t)gridDim.x * blockDim.x);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_values(stage, 0x1p30, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = BY_VALUE(blend_threads);
    return run_values(queue, stage, "blend threads", kernels, dim3(128), dim3(128));
}

extern "C" const Level cuda_blend_threads = {
    .op = &op_blend,
    .name = "threads",
    .idea = "128 blocks of 128 threads: a warp reads neighbours in one piece, but the device could hold more threads",
    .accepts = accepts,
    .run = run,
};
