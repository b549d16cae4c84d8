/* first_add.cu: a thread adds two values before the tree begins: half the blocks, and none idle in its first step. */
#include "gpu/course/reduce/sums.cuh"

template <class Source>
__global__ void reduce_first_add(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
    if (i < count && count - i > blockDim.x)
        mine += in[i + blockDim.x];
    data[tid] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (tid < half)
            data[tid] += data[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(FirstAdd, "first-add", reduce_first_add, 2 * COURSE_THREADS);

COURSE_LEVEL(FirstAdd, first_add, "first-add",
             "each thread adds two values on their way to shared memory: half the blocks, and none idle at once");
