/* interleaved.cu: a tree in shared memory, whose threads are ever farther apart.
 * In every step half of those that still add are left, and a warp runs as long as one of its threads does. */
#include "gpu/course/reduce/sums.cuh"

template <class Source>
__global__ void reduce_interleaved(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
    data[tid] = mine;
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        if (tid % (2 * apart) == 0)
            data[tid] += data[tid + apart];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(Interleaved, "interleaved", reduce_interleaved, COURSE_THREADS);

COURSE_LEVEL(
    Interleaved, interleaved, "interleaved",
    "a tree in shared memory: every second thread adds its neighbour, then every fourth, and all warps stay busy");
