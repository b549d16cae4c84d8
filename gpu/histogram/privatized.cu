/* privatized.cu: each warp counts in a copy of its own; pixels come in 16-byte loads. */
#include "gpu/histogram/count.cuh"

extern "C" {
#include "gpu/histogram/measured.h"
}

enum { WARPS = 8, THREADS = 32 * WARPS, BLOCKS_A_PROCESSOR = 8, SHARED_MAX = 48 << 10 };

template <int C, typename T>
__global__ void __launch_bounds__(THREADS)
    histogram_privatized(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                         const __grid_constant__ HistogramJob job, int shift) {
    extern __shared__ uint32_t counts[];
    const int bins = out.width, values = bins * out.height;
    begin_counts(counts, values * WARPS);
    uint32_t *mine = counts + threadIdx.x / 32 * values;
    for_pixels<C, T>(in, shift, [&](const T *at) {
        count_pixel<C>(job, at, [&](int row, int bin) { atomicAdd(&mine[row * bins + bin], 1); });
    });
    __syncthreads();
    for (int i = threadIdx.x; i < values; i += THREADS) {
        uint32_t sum = 0;
        for (int warp = 0; warp < WARPS; warp++)
            sum += counts[warp * values + i];
        if (sum)
            atomicAdd(row_to<uint32_t>(out, i / bins) + i % bins, sum);
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "a warp has room for 1536 counts";
    return counts_bytes(stage) * WARPS <= SHARED_MAX;
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_privatized);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    int shift = unit_shift(in.width, 16 / (int)pixel_type_size(stage->in[0].shape.type), THREADS);
    const int most = gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS_A_PROCESSOR;
    const int blocks = (int)blocks_for(in.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), counts_bytes(stage) * WARPS};
    void *arguments[] = {&in, &out, &job, &shift};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram privatized", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_privatized = {
    .op = &op_histogram,
    .name = "privatized",
    .idea = "each warp has counts of its own, so that fewer atomics meet; pixels come in 16-byte loads",
    .accepts = accepts,
    .predictor = &histogram_measured,
    .run = run,
};
