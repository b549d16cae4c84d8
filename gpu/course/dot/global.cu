/* global.cu: every product is added to one sum in device memory. */
#include "gpu/course/dot/products.cuh"

enum { COLUMNS = 32, ROWS = 8 };

template <typename T, int C>
__global__ void dot_global(const __grid_constant__ Plane a, const __grid_constant__ Plane b,
                           typename Summed<T>::Type *sums) {
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    if (x >= a.width || y >= a.height)
        return;
    const Sums<typename Summed<T>::Type, C> products = products_at<T, C>(a, b, x, y);
#pragma unroll
    for (int c = 0; c < C; c++)
        atomicAdd(&sums[c], products.v[c]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the picture is higher than a grid of blocks";
    return stage->in[0].shape.height <= 65535u * ROWS;
}

static Status run(Queue *queue, const Stage *stage) {
    DOT_TABLE(dot_global);
    const Shape in = stage->in[0].shape;
    const Launch launch = {dim3(blocks_for((int)in.width, COLUMNS), blocks_for((int)in.height, ROWS)),
                           dim3(COLUMNS, ROWS), 0};
    return dot_run(queue, "dot global", dot_kernel(kernels, stage), launch, stage);
}

extern "C" const Level cuda_dot_global = {
    .op = &op_dot,
    .name = "global",
    .idea = "one thread a pixel, whose products go to one sum in device memory by atomics, in any order: last bits "
            "change from run to run",
    .accepts = accepts,
    .run = run,
};
