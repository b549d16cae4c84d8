/* strided.cu: the same tree, added by neighbouring threads.
 * Whole warps are done early; but the values that a warp's threads add are far apart, and lie in few banks. */
#include "gpu/course/reduce/sums.cuh"

template <class Source>
__global__ void reduce_strided(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[COURSE_THREADS];
    const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    typename Source::Sum mine = {};
    if (i < count)
        mine = in[i];
    data[tid] = mine;
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        const unsigned at = 2 * apart * tid;
        if (at < blockDim.x)
            data[at] += data[at + apart];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

COURSE_RUNG(Strided, "strided", reduce_strided, COURSE_THREADS);

COURSE_LEVEL(Strided, strided, "strided",
             "neighbouring threads add, so that warps end whole; their values lie in ever fewer banks");
