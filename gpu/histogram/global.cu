/* global.cu: every pixel adds to counts in device memory. */
#include "gpu/histogram/count.cuh"

template <int C, typename T>
__global__ void histogram_global(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                                 const __grid_constant__ HistogramJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < in.width && y < in.height)
        count_pixel<C>(job, row_of<T>(in, y) + (size_t)x * C,
                       [&](int row, int bin) { atomicAdd(row_to<uint32_t>(out, row) + bin, 1); });
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_global);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    const Launch launch = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &job};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram global", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_global = {
    .op = &op_histogram,
    .name = "global",
    .idea = "one thread a pixel, which adds 1 to a count in device memory by an atomic",
    .run = run,
};
