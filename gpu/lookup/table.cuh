/* table.cuh: the parts that the levels of the lookup share: a pixel through the curves, and the choice of a kernel. */
#ifndef GLINT_GPU_LOOKUP_TABLE_CUH
#define GLINT_GPU_LOOKUP_TABLE_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/histogram.h"
#include "core/ops/lookup.h"
}

/* Looks one value up in row `row` of the curve; where the curve lies is the level's business. */
template <typename T> struct Curves {
    const T *first;
    size_t stride; /* values from row to row; 0: one row for all */
    __device__ __forceinline__ T operator()(const LookupJob &job, int row, T value) const {
        const T *curve = first + row * stride;
        if constexpr (sizeof(T) < 4)
            return __ldg(curve + value);
        else
            return lookup_real(&job, curve, value);
    }
};

template <int C, typename T, typename Look>
static __device__ __forceinline__ void look_up_pixel(const LookupJob &job, const T *in, T *out, const Look &look) {
    enum { COLOURS = C % 2 ? C : C - 1 };
    if constexpr (COLOURS < C)
        out[COLOURS] = in[COLOURS];
    if constexpr (COLOURS == 3)
        if (job.luma) {
            T luma;
            if constexpr (sizeof(T) < 4)
                luma = (T)luma_whole(in[0], in[1], in[2]);
            else
                luma = luma_real(in[0], in[1], in[2]);
            out[0] = out[1] = out[2] = look(job, 0, luma);
            return;
        }
#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        out[c] = look(job, c, in[c]);
}

/* Calls look_up_pixel for the pixels of 16 bytes times the channels that begin at column x of row y. */
template <int C, typename T, typename Look>
static __device__ __forceinline__ void look_up_unit(const Plane &in, const Plane &out, const LookupJob &job, int x,
                                                    int y, const Look &look) {
    enum { PIXELS = 16 / sizeof(T) };
    const T *from = row_of<T>(in, y) + (size_t)x * C;
    T *to = row_to<T>(out, y) + (size_t)x * C;
    if (x + PIXELS <= in.width) {
        uint4 words[C], results[C];
#pragma unroll
        for (int i = 0; i < C; i++)
            words[i] = __ldcs((const uint4 *)from + i);
#pragma unroll
        for (int i = 0; i < PIXELS; i++)
            look_up_pixel<C>(job, (const T *)words + i * C, (T *)results + i * C, look);
#pragma unroll
        for (int i = 0; i < C; i++)
            __stcs((uint4 *)to + i, results[i]);
    } else
        for (int i = 0; x + i < in.width; i++)
            look_up_pixel<C>(job, from + i * C, to + i * C, look);
}

/* Rows from the last to the first: of a picture that was counted a moment ago, the end is still in the L2 cache. */
template <int C, typename T, typename Look>
static __device__ __forceinline__ void look_up_rows(const Plane &in, const Plane &out, const LookupJob &job, int shift,
                                                    const Look &look) {
    enum { PIXELS = 16 / sizeof(T) };
    const int across = 1 << shift, down = blockDim.x >> shift;
    const int column = (threadIdx.x & (across - 1)) * PIXELS;
    for (int y = blockIdx.x * down + (threadIdx.x >> shift); y < in.height; y += gridDim.x * down)
        for (int x = column; x < in.width; x += across * PIXELS)
            look_up_unit<C, T>(in, out, job, x, in.height - 1 - y, look);
}

/* Threads of a block by units of a row: a power of two, and the rest side by side in rows. */
static inline int lookup_shift(const Stage *stage, int threads) {
    const size_t pixels = 16 / pixel_type_size(stage->out.shape.type);
    int shift = 0;
    while ((1 << shift) < threads && ((size_t)1 << shift) * pixels < stage->out.shape.width)
        shift++;
    return shift;
}

#define LOOKUP_KERNELS(kernel, T)                                                                                      \
    { (const void *)kernel<1, T>, (const void *)kernel<2, T>, (const void *)kernel<3, T>, (const void *)kernel<4, T> }

#endif
