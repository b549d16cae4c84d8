/* last_warp.cuh: the last steps of a tree, of one warp. */
#ifndef GLINT_GPU_COURSE_REDUCE_LAST_WARP_CUH
#define GLINT_GPU_COURSE_REDUCE_LAST_WARP_CUH

#include "gpu/course/reduce/sums.cuh"

/* Adds data[0] to data[63] up in data[0]; by the first 32 threads. Threads of a warp need no barrier of the block, but,
 * since they may run apart from one another, one of the warp. */
template <typename Sum> static __device__ __forceinline__ void add_last_warp(Sum *data, unsigned tid) {
    Sum mine = data[tid];
#pragma unroll
    for (unsigned half = 32; half > 0; half /= 2) {
        mine += data[tid + half];
        __syncwarp();
        data[tid] = mine;
        __syncwarp();
    }
}

#endif
