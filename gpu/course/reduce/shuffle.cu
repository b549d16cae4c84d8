/* shuffle.cu: threads of a warp read each other's registers; shared memory holds one sum a warp. */
#include "gpu/course/reduce/sums.cuh"

enum { WARPS = COURSE_THREADS / 32 };

/* All lanes get the sum. */
template <typename Sum> static __device__ __forceinline__ Sum add_lanes(Sum mine) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
#pragma unroll
        for (unsigned c = 0; c < sizeof mine.v / sizeof mine.v[0]; c++)
            mine.v[c] += __shfl_xor_sync(0xFFFFFFFF, mine.v[c], apart);
    return mine;
}

template <class Source>
__global__ void reduce_shuffle(const __grid_constant__ Source in, unsigned count, typename Source::Sum *out) {
    __shared__ typename Source::Sum data[WARPS];
    const unsigned tid = threadIdx.x;
    typename Source::Sum mine = {};
    for (size_t i = blockIdx.x * (2 * COURSE_THREADS) + tid; i < count; i += (size_t)gridDim.x * 2 * COURSE_THREADS) {
        mine += in[(unsigned)i];
        if (count - i > COURSE_THREADS)
            mine += in[(unsigned)i + COURSE_THREADS];
    }
    mine = add_lanes(mine);
    if (tid % 32 == 0)
        data[tid / 32] = mine;
    __syncthreads();
    if (tid == 0) {
        for (int warp = 1; warp < WARPS; warp++)
            mine += data[warp];
        out[blockIdx.x] = mine;
    }
}

COURSE_RUNG(Shuffle, "shuffle", reduce_shuffle, 0);

COURSE_LEVEL(
    Shuffle, shuffle, "shuffle",
    "the threads of a warp add each other's registers; one barrier is left, and one word a warp in shared memory");
