/* tree.cuh: a tree whose steps are all written out, for a block whose size the compiler knows. */
#ifndef GLINT_GPU_COURSE_REDUCE_TREE_CUH
#define GLINT_GPU_COURSE_REDUCE_TREE_CUH

#include "gpu/course/reduce/last_warp.cuh"

/* Adds the sums of THREADS threads up in data[0]; they have been stored, and nobody has waited for that. */
template <unsigned THREADS, typename Sum> static __device__ __forceinline__ void add_tree(Sum *data, unsigned tid) {
    static_assert(THREADS == 64 || THREADS == 128 || THREADS == 256 || THREADS == 512, "a power of two");
    __syncthreads();
    if constexpr (THREADS >= 512) {
        if (tid < 256)
            data[tid] += data[tid + 256];
        __syncthreads();
    }
    if constexpr (THREADS >= 256) {
        if (tid < 128)
            data[tid] += data[tid + 128];
        __syncthreads();
    }
    if constexpr (THREADS >= 128) {
        if (tid < 64)
            data[tid] += data[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
        add_last_warp(data, tid);
}

#endif
