/* glint lab: reduce-last-warp */
#include <glint/kernel.h>

enum { THREADS = 256 };

static __device__ void add_last_warp(float *sums, int thread) {
    float sum = sums[thread];
    for (int half = 32; half > 0; half /= 2) {
        sum += sums[thread + half];
        sums[thread] = sum;
    }
}

KERNEL(reduce, mine, THREADS, 1, 2, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, i = blockIdx.x * 2 * THREADS + thread;
    float sum = i < in.count ? in.values[i] : 0;
    if (i + THREADS < in.count)
        sum += in.values[i + THREADS];
    sums[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 32; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread < 32)
        add_last_warp(sums, thread);
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}
