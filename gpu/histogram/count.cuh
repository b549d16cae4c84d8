/* count.cuh: shared by levels of the histogram. It has the bins of a pixel, walks over a picture, counts that begin at
 * 0, and the choice of a kernel.
 * Counts are whole numbers: in whatever order they are added, the result is the same. */
#ifndef GLINT_GPU_HISTOGRAM_COUNT_CUH
#define GLINT_GPU_HISTOGRAM_COUNT_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/histogram.h"
}

/* Calls add(row, bin) for each count of a pixel of C channels. */
template <int C, typename T, typename Add>
static __device__ __forceinline__ void count_pixel(const HistogramJob &job, const T *at, Add add) {
    enum { COLOURS = C % 2 ? C : C - 1 };
    if (COLOURS < C && job.visible && !(at[C - 1] > 0))
        return;
    if constexpr (COLOURS == 3)
        if (job.luma) {
            if constexpr (sizeof(T) < 4)
                add(0, (int)luma_whole(at[0], at[1], at[2]));
            else {
                const float luma = luma_real(at[0], at[1], at[2]);
                if (luma == luma)
                    add(0, bin_of(job.bins, luma));
            }
            return;
        }
#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        if constexpr (sizeof(T) < 4)
            add(c, (int)at[c]);
        else if (at[c] == at[c]) /* not NaN */
            add(c, bin_of(job.bins, at[c]));
}

/* Pixels in 16-byte loads: a unit is as many as 16 values of a byte, 8 of two or 4 of four, times the channels. */
template <typename T> struct Unit {
    enum { PIXELS = 16 / sizeof(T) };
};

/* Threads of a block by units of a row: a power of two, and the rest side by side in rows. */
static inline int unit_shift(int width, int pixels, int threads) {
    int shift = 0;
    while ((1 << shift) < threads && (1 << shift) * pixels < width)
        shift++;
    return shift;
}

/* Calls pixel(at) for every pixel that falls to this thread. */
template <int C, typename T, typename Pixel>
static __device__ __forceinline__ void for_pixels(const Plane &in, int shift, Pixel pixel) {
    enum { PIXELS = Unit<T>::PIXELS };
    const int across = 1 << shift, down = blockDim.x >> shift;
    const int column = (threadIdx.x & (across - 1)) * PIXELS, step = across * PIXELS;
    for (int x = column; x < in.width; x += step)
        for (int y = blockIdx.x * down + (threadIdx.x >> shift); y < in.height; y += gridDim.x * down) {
            const T *row = row_of<T>(in, y) + (size_t)x * C;
            if (x + PIXELS <= in.width) {
                uint4 words[C];
#pragma unroll
                for (int i = 0; i < C; i++)
                    words[i] = ((const uint4 *)row)[i];
                const T *values = (const T *)words;
#pragma unroll
                for (int i = 0; i < PIXELS; i++)
                    pixel(values + i * C);
            } else
                for (int i = 0; x + i < in.width; i++)
                    pixel(row + i * C);
        }
}

/* Counts of a block, in its shared memory: they begin at 0 for all threads. */
static __device__ __forceinline__ void begin_counts(uint32_t *counts, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();
}
/* Adds a block's counts to those in device memory once all threads have counted. */
static __device__ __forceinline__ void end_counts(const uint32_t *counts, int count, const Plane &out) {
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (counts[i])
            atomicAdd(row_to<uint32_t>(out, i / out.width) + i % out.width, counts[i]);
}

static inline Status clear_counts(Queue *queue, const Stage *stage) {
    const Frame out = stage->out;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaMemset2DAsync(out.pixels, out.stride, 0, shape_row_bytes(out.shape), out.shape.height,
                               gpu_queue(queue)->stream));
    return STATUS_OK;
}

/* Bytes of the counts of one copy. */
static inline size_t counts_bytes(const Stage *stage) {
    return stage->out.shape.width * stage->out.shape.height * sizeof(uint32_t);
}

/* Level.accepts of levels with one copy a block. */
static inline bool counts_fit_a_block(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "a block has room for 12288 counts";
    return counts_bytes(stage) <= 48 << 10;
}

/* The kernels of a level by type and channels, and the one for the stage. */
#define COUNT_KERNELS(kernel, T)                                                                                       \
    { (const void *)kernel<1, T>, (const void *)kernel<2, T>, (const void *)kernel<3, T>, (const void *)kernel<4, T> }
#define COUNT_TABLE(kernel)                                                                                            \
    static const void *const kernels[PIXEL_TYPES][4] = {COUNT_KERNELS(kernel, uint8_t),                                \
                                                        COUNT_KERNELS(kernel, uint16_t), COUNT_KERNELS(kernel, float)}

static inline const void *count_kernel(const void *const kernels[PIXEL_TYPES][4], const Stage *stage) {
    return kernels[stage->in[0].shape.type][stage->in[0].shape.channels - 1];
}

#endif
