/* global.cu: the curve stays in device memory; the caches keep the entries that are asked for often. */
#include "gpu/lookup/table.cuh"

template <int C, typename T>
__global__ void lookup_global(const __grid_constant__ Plane in, const __grid_constant__ Plane curve,
                              const __grid_constant__ Plane out, const __grid_constant__ LookupJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const Curves<T> curves = {row_of<T>(curve, 0), curve.height > 1 ? curve.stride / sizeof(T) : 0};
    if (x < in.width && y < in.height)
        look_up_pixel<C>(job, row_of<T>(in, y) + (size_t)x * C, row_to<T>(out, y) + (size_t)x * C, curves);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {LOOKUP_KERNELS(lookup_global, uint8_t),
                                                        LOOKUP_KERNELS(lookup_global, uint16_t),
                                                        LOOKUP_KERNELS(lookup_global, float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), curve = plane_of(stage->in[1]), out = plane_of(stage->out);
    LookupJob job = *lookup_job(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &curve, &out, &job};
    return gpu_launch(queue, "lookup global", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_lookup_global = {
    .op = &op_lookup,
    .name = "global",
    .idea = "one thread a pixel; the curve is read from device memory, through the caches",
    .run = run,
};
