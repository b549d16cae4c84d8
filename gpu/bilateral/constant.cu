/* constant.cu: single precision, and the weights by distance in constant memory. All threads of a warp want the same
 * weight at the same time, which one read of the constant cache brings to all of them. Weights by difference are
 * exponentials. From a table in constant memory each thread would want another entry, and each of these reads would
 * wait for the one before it. */
#include "gpu/bilateral/tables.cuh"

template <typename T, int C>
__global__ void bilateral_constant(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                                   const __grid_constant__ Window window) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int radius = window.radius;
    if (x >= out.width || y >= out.height)
        return;
    const auto within = [&](int i, int j, float(&values)[C]) {
#pragma unroll
        for (int c = 0; c < C; c++)
            values[c] = (float)row_of<T>(in, y + j)[(x + i) * C + c];
    };
    const auto anywhere = [&](int i, int j, float(&values)[C]) {
        const int sx = bilateral_index(window.border, x + i, in.width);
        const int sy = bilateral_index(window.border, y + j, in.height);
#pragma unroll
        for (int c = 0; c < C; c++)
            values[c] = sx < 0 || sy < 0 ? window.outside : (float)row_of<T>(in, sy)[sx * C + c];
    };
    float results[C];
    if (x >= radius && y >= radius && x + radius < in.width && y + radius < in.height)
        sum_window<C>(radius, within, results);
    else
        sum_window<C>(radius, anywhere, results);
#pragma unroll
    for (int c = 0; c < C; c++)
        row_to<T>(out, y)[x * C + c] = Stored<T>::from(results[c]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    return accepts_single(stage, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[2][4] = {
        {(const void *)bilateral_constant<uint8_t, 1>, (const void *)bilateral_constant<uint8_t, 2>,
         (const void *)bilateral_constant<uint8_t, 3>, (const void *)bilateral_constant<uint8_t, 4>},
        {(const void *)bilateral_constant<float, 1>, (const void *)bilateral_constant<float, 2>,
         (const void *)bilateral_constant<float, 3>, (const void *)bilateral_constant<float, 4>}};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Window window = window_of(bilateral_job(stage));
    TRY(set_tables(queue, bilateral_job(stage)));
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &window};
    return gpu_launch(queue, "bilateral constant", kernels[shape.type == PIXEL_F32][shape.channels - 1], launch,
                      arguments);
}

extern "C" const Level cuda_bilateral_constant = {
    .op = &op_bilateral,
    .name = "constant",
    .idea = "single precision, and the weights by distance in constant memory: a warp reads each once, from a cache of "
            "its own",
    .accepts = accepts,
    .run = run,
};
