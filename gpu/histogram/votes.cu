/* votes.cu: lanes of a warp that have the same value find each other (match), and one of them adds for all. A flat
 * picture takes one atomic a warp. Where all values differ, the votes are for nothing. */
#include "gpu/histogram/count.cuh"

enum { THREADS = 256, BLOCKS_A_PROCESSOR = 8 };

/* By those lanes that are here together. */
static __device__ __forceinline__ void add_voted(uint32_t *counts, int at) {
    const unsigned peers = __match_any_sync(__activemask(), at);
    if ((threadIdx.x & 31) == __ffs((int)peers) - 1)
        atomicAdd(&counts[at], (uint32_t)__popc(peers));
}

template <int C, typename T>
__global__ void __launch_bounds__(THREADS)
    histogram_votes(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ HistogramJob job, int shift) {
    extern __shared__ uint32_t counts[];
    const int bins = out.width, values = bins * out.height;
    begin_counts(counts, values);
    for_pixels<C, T>(in, shift, [&](const T *at) {
        count_pixel<C>(job, at, [&](int row, int bin) { add_voted(counts, row * bins + bin); });
    });
    end_counts(counts, values, out);
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_votes);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    int shift = unit_shift(in.width, 16 / (int)pixel_type_size(stage->in[0].shape.type), THREADS);
    const int most = gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS_A_PROCESSOR;
    const int blocks = (int)blocks_for(in.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), counts_bytes(stage)};
    void *arguments[] = {&in, &out, &job, &shift};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram votes", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_votes = {
    .op = &op_histogram,
    .name = "votes",
    .idea = "lanes of a warp with the same value find each other by a vote, and one adds for all of them",
    .accepts = counts_fit_a_block,
    .run = run,
};
