/* packed.cu: many bins: two counts of 16 bits share a word of shared memory, 65536 of them in 128 KiB.
 * An atomic returns the word as it was. A thread that makes a count go past 65535 therefore knows, and adds 65536 to
 * the count in device memory. If that carried into the upper count of the word, it takes the carry back. Every addition
 * to a half is noticed where it wraps, whatever others add meanwhile, so that the sum of both places is exact. */
#include "gpu/histogram/count.cuh"

enum { THREADS = 1024, HALF = 65536 };

/* `change` is 1 or -1 for the upper half, HALF times that in the word. */
static __device__ void add_upper(uint32_t *word, uint32_t *far, int change) {
    const uint32_t was = atomicAdd(word, (uint32_t)change * HALF) >> 16;
    if (change > 0 ? was == HALF - 1 : was == 0)
        atomicAdd(far, (uint32_t)change * HALF);
}

static __device__ __forceinline__ void add_packed(uint32_t *counts, uint32_t *far, int bin) {
    uint32_t *word = counts + (bin >> 1);
    if (bin & 1)
        add_upper(word, far + bin, 1);
    else {
        const uint32_t was = atomicAdd(word, 1u);
        if ((was & (HALF - 1)) == HALF - 1) { /* it carried */
            atomicAdd(far + bin, (uint32_t)HALF);
            if (was >> 16 == HALF - 1)
                atomicAdd(far + bin + 1, (uint32_t)HALF);
            add_upper(word, far + bin + 1, -1);
        }
    }
}

template <int C, typename T>
__global__ void __launch_bounds__(THREADS)
    histogram_packed(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ HistogramJob job, int shift) {
    extern __shared__ uint32_t counts[];
    const int bins = out.width, words = (bins + 1) / 2, mine = blockIdx.y;
    uint32_t *far = row_to<uint32_t>(out, mine);
    begin_counts(counts, words);
    for_pixels<C, T>(in, shift, [&](const T *at) {
        count_pixel<C>(job, at, [&](int row, int bin) {
            if (row == mine)
                add_packed(counts, far, bin);
        });
    });
    __syncthreads();
    for (int i = threadIdx.x; i < words; i += THREADS) {
        const uint32_t word = counts[i];
        if (word & (HALF - 1))
            atomicAdd(far + 2 * i, word & (HALF - 1));
        if (word >> 16)
            atomicAdd(far + 2 * i + 1, word >> 16);
    }
}

static size_t packed_bytes(const Stage *stage) {
    return (stage->out.shape.width + 1) / 2 * sizeof(uint32_t);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "few bins are counted faster, and 65536 take 128 KiB of shared memory a block";
    return stage->out.shape.width > 1024 &&
           packed_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(histogram_packed);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HistogramJob job = *histogram_job(stage);
    int shift = unit_shift(in.width, 16 / (int)pixel_type_size(stage->in[0].shape.type), THREADS);
    const int most = gpu_of(queue->device)->limits.multiProcessorCount / out.height;
    const int blocks = (int)blocks_for(in.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks
                                           : most > 0    ? most
                                                         : 1),
                                (unsigned)out.height),
                           dim3(THREADS), packed_bytes(stage)};
    void *arguments[] = {&in, &out, &job, &shift};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram packed", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_histogram_packed = {
    .op = &op_histogram,
    .name = "packed",
    .idea = "65536 bins: two counts share a word of shared memory, and counts past 16 bits go elsewhere",
    .accepts = accepts,
    .run = run,
};
