/* shared.cu: the products of a block are added up in shared memory, and their sum to device memory by an atomic. */
#include "gpu/course/dot/products.cuh"
#include "gpu/course/reduce/tree.cuh"

enum { THREADS = 256, BLOCKS = 8 /* a multiprocessor */ };

template <typename T, int C>
__global__ void dot_shared(const __grid_constant__ Plane a, const __grid_constant__ Plane b,
                           typename Summed<T>::Type *sums) {
    typedef Sums<typename Summed<T>::Type, C> Sum;
    __shared__ Sum data[THREADS];
    Sum mine = {};
    for (int y = blockIdx.x; y < a.height; y += gridDim.x)
        for (int x = threadIdx.x; x < a.width; x += THREADS)
            mine += products_at<T, C>(a, b, x, y);
    data[threadIdx.x] = mine;
    add_tree<THREADS>(data, threadIdx.x);
    if (threadIdx.x == 0)
#pragma unroll
        for (int c = 0; c < C; c++)
            atomicAdd(&sums[c], data[0].v[c]);
}

static Status run(Queue *queue, const Stage *stage) {
    DOT_TABLE(dot_shared);
    const unsigned most = (unsigned)(gpu_of(queue->device)->limits.multiProcessorCount * BLOCKS);
    const unsigned rows = (unsigned)stage->in[0].shape.height;
    const Launch launch = {dim3(rows < most ? rows : most), dim3(THREADS), 0};
    return dot_run(queue, "dot shared", dot_kernel(kernels, stage), launch, stage);
}

extern "C" const Level cuda_dot_shared = {
    .op = &op_dot,
    .name = "shared",
    .idea = "a block adds up rows of products in shared memory; one atomic a block is left, f32 still in any order",
    .run = run,
};
