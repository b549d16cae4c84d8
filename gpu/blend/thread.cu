/* thread.cu: one thread for all values, as in the course's first listing: a GPU as a slow CPU. */
#include "gpu/blend/values.cuh"

template <typename T>
__global__ void blend_thread(const __grid_constant__ Vectors vectors, const __grid_constant__ BlendJob job) {
    blend_every<T>(vectors, job, 0, 1);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_values(stage, 0x1p18, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = BY_VALUE(blend_thread);
    return run_values(queue, stage, "blend thread", kernels, dim3(1), dim3(1));
}

extern "C" const Level cuda_blend_thread = {
    .op = &op_blend,
    .name = "thread",
    .idea = "one thread takes all values, one after the other: the worth of a single core of a GPU",
    .accepts = accepts,
    .run = run,
};
