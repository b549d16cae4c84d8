/* lanes.cu: each of the 32 lanes counts in a copy of its own.
 * The copies are interleaved: the counts of a bin lie in 32 neighbouring words, one a lane and one a bank. However the
 * values are spread, the atomics of a warp never meet in a bank, and those of a flat picture never in a word. */
#include "gpu/histogram/count.cuh"

extern "C" {
#include "gpu/histogram/measured.h"
}

enum { THREADS = 1024, LANES = 32 };

/* Two blocks where a multiprocessor holds 2048 threads; others hold 1024 or 1536. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200))
enum { BLOCKS = 2 };
#else
enum { BLOCKS = 1 };
#endif

template <int C, typename T>
__global__ void __launch_bounds__(THREADS, C == 1 ? BLOCKS : 1)
    histogram_lanes(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ HistogramJob job, int shift) {
    extern __shared__ uint32_t counts[];
    const int bins = out.width, values = bins * out.height, lane = threadIdx.x % LANES;
    begin_counts(counts, values * LANES);
    uint32_t *mine = counts + lane;
    for_pixels<C, T>(in, shift, [&](const T *at) {
        count_pixel<C>(job, at, [&](int row, int bin) { atomicAdd(&mine[(row * bins + bin) * LANES], 1); });
    });
    __syncthreads();
    for (int i = threadIdx.x / LANES; i < values; i += THREADS / LANES) {
        uint32_t sum = counts[i * LANES + lane];
#pragma unroll
        for (int apart = LANES / 2; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(0xFFFFFFFF, sum, apart);
        if (lane == 0 && sum)
            atomicAdd(row_to<uint32_t>(out, i / bins) + i % bins, sum);
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "a block has no room for 32 copies of the counts";
    return counts_bytes(stage) * LANES <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_lanes);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    int shift = unit_shift(in.width, 16 / (int)pixel_type_size(stage->in[0].shape.type), THREADS);
    const int most = gpu_of(queue->device)->limits.multiProcessorCount * 2;
    const int blocks = (int)blocks_for(in.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), counts_bytes(stage) * LANES};
    void *arguments[] = {&in, &out, &job, &shift};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram lanes", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_lanes = {
    .op = &op_histogram,
    .name = "lanes",
    .idea = "each lane has counts of its own in a bank of its own: no two atomics of a warp ever meet",
    .accepts = accepts,
    .predictor = &histogram_measured,
    .run = run,
};
