/* unrolled.cu: the last six steps, which one warp does, without barriers of the block. */
#include "gpu/course/reduce/last_warp.cuh"

template <class Source>
__global__ void reduce_unrolled(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
    if (i < count && count - i > blockDim.x)
        mine += in[i + blockDim.x];
    data[tid] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
        if (tid < half)
            data[tid] += data[tid + half];
        __syncthreads();
    }
    if (tid < 32)
        add_last_warp(data, tid);
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(Unrolled, "unrolled", reduce_unrolled, 2 * COURSE_THREADS);

COURSE_LEVEL(Unrolled, unrolled, "unrolled",
             "the last six steps are one warp's, written out: no barriers of the block, no tests, in no warp");
