/* sequential.cu: the upper half is added to the lower one: neighbouring threads, neighbouring words. */
#include "gpu/course/reduce/sums.cuh"

template <class Source>
__global__ void reduce_sequential(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
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

COURSE_RUNG(Sequential, "sequential", reduce_sequential, COURSE_THREADS);

COURSE_LEVEL(Sequential, sequential, "sequential",
             "the upper half is added to the lower one: threads and words lie side by side, and no banks conflict");
