/* wide.cu: 16 bytes of both pictures in one load each: fewer instructions wait for memory at once. */
#include "gpu/blend/values.cuh"

enum { ACROSS = 32, DOWN = 8 };

template <typename T>
__global__ void blend_wide(const __grid_constant__ Vectors vectors, const __grid_constant__ BlendJob job) {
    enum { WIDE = 16 / sizeof(T) };
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * WIDE, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= vectors.values || y >= vectors.out.height)
        return;
    const T *a = row_of<T>(vectors.a, y) + x, *b = row_of<T>(vectors.b, y) + x;
    T *out = row_to<T>(vectors.out, y) + x;
    if (x + WIDE > vectors.values) {
        for (int i = 0; x + i < vectors.values; i++)
            out[i] = blend_values(job, a[i], b[i]);
        return;
    }
    const uint4 first = *(const uint4 *)a, second = *(const uint4 *)b;
    uint4 made;
#pragma unroll
    for (int i = 0; i < WIDE; i++)
        ((T *)&made)[i] = blend_values(job, ((const T *)&first)[i], ((const T *)&second)[i]);
    *(uint4 *)out = made;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_values(stage, 0x1p40, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = BY_VALUE(blend_wide);
    const int wide = 16 / (int)pixel_type_size(stage->out.shape.type);
    const int values = (int)stage->out.shape.width * stage->out.shape.channels;
    return run_values(queue, stage, "blend wide", kernels,
                      dim3(blocks_for(values, wide * ACROSS), blocks_for((int)stage->out.shape.height, DOWN)),
                      dim3(ACROSS, DOWN));
}

extern "C" const Level cuda_blend_wide = {
    .op = &op_blend,
    .name = "wide",
    .idea = "loads and stores of 16 bytes, a thread for each",
    .accepts = accepts,
    .run = run,
};
