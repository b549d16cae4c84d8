/* products.cuh: shared by the lower levels of the dot product. It has a pixel's products, and sums that begin at 0 and
 * are stored when all have been added. */
#ifndef GLINT_GPU_COURSE_DOT_PRODUCTS_CUH
#define GLINT_GPU_COURSE_DOT_PRODUCTS_CUH

#include "gpu/course/reduce/sums.cuh"

extern "C" {
#include "core/ops/dot.h"
}

/* The products of a pixel. A product that is NaN counts for nothing. */
template <typename T, int C>
static __device__ __forceinline__ Sums<typename Summed<T>::Type, C> products_at(const Plane &a, const Plane &b, int x,
                                                                                int y) {
    typedef typename Summed<T>::Type Sum;
    const T *v = row_of<T>(a, y) + (size_t)x * C, *other = row_of<T>(b, y) + (size_t)x * C;
    Sums<Sum, C> products;
#pragma unroll
    for (int c = 0; c < C; c++) {
        const Sum product = (Sum)v[c] * (Sum)other[c];
        products.v[c] = product == product ? product : 0;
    }
    return products;
}

template <typename A> __global__ void dot_store_sums(const A *sums, const __grid_constant__ Plane out) {
    store_total(out, threadIdx.x, 0, (double)sums[threadIdx.x]);
}

/* Runs kernel(a, b, sums), which adds to the sums by atomics. */
static inline Status dot_run(Queue *queue, const char *where, const void *kernel, Launch launch, const Stage *stage) {
    const int channels = stage->in[0].shape.channels;
    Plane a = plane_of(stage->in[0]), b = plane_of(stage->in[1]), out = plane_of(stage->out);
    void *sums;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, DOT_CHANNELS * sizeof(double), &sums));
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaMemsetAsync(sums, 0, DOT_CHANNELS * sizeof(double), gpu_queue(queue)->stream));
    void *add[] = {&a, &b, &sums}, *store[] = {&sums, &out};
    TRY(gpu_launch(queue, where, kernel, launch, add));
    return gpu_launch(queue, "dot, store",
                      stage->in[0].shape.type == PIXEL_F32 ? (const void *)dot_store_sums<double>
                                                           : (const void *)dot_store_sums<unsigned long long>,
                      Launch{dim3(1), dim3((unsigned)channels), 0}, store);
}

#define DOT_ROW(kernel, T)                                                                                             \
    { (const void *)kernel<T, 1>, (const void *)kernel<T, 2>, (const void *)kernel<T, 3>, (const void *)kernel<T, 4> }
#define DOT_TABLE(kernel)                                                                                              \
    static const void *const kernels[PIXEL_TYPES][4] = {DOT_ROW(kernel, uint8_t), DOT_ROW(kernel, uint16_t),           \
                                                        DOT_ROW(kernel, float)}
static inline const void *dot_kernel(const void *const kernels[PIXEL_TYPES][4], const Stage *stage) {
    return kernels[stage->in[0].shape.type][stage->in[0].shape.channels - 1];
}

#endif
