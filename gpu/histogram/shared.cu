/* shared.cu: a block counts in its shared memory, and adds its counts to those in device memory. */
#include "gpu/histogram/count.cuh"

enum { THREADS = 256, BLOCKS_MAX = 2048 };

template <int C, typename T>
__global__ void histogram_shared(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                                 const __grid_constant__ HistogramJob job) {
    extern __shared__ uint32_t counts[];
    const int bins = out.width, values = bins * out.height;
    begin_counts(counts, values);
    for (int y = blockIdx.x; y < in.height; y += gridDim.x)
        for (int x = threadIdx.x; x < in.width; x += THREADS)
            count_pixel<C>(job, row_of<T>(in, y) + (size_t)x * C,
                           [&](int row, int bin) { atomicAdd(&counts[row * bins + bin], 1); });
    end_counts(counts, values, out);
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_shared);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    const Launch launch = {dim3((unsigned)(in.height < BLOCKS_MAX ? in.height : BLOCKS_MAX)), dim3(THREADS),
                           counts_bytes(stage)};
    void *arguments[] = {&in, &out, &job};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram shared", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_shared = {
    .op = &op_histogram,
    .name = "shared",
    .idea = "a block counts in shared memory, whose atomics are near, and adds its sums to device memory once",
    .accepts = counts_fit_a_block,
    .run = run,
};
