/* dot.cu: a dot product: added by one thread, by atomic additions, in shared memory, and from register to register. */
#include <glint/kernel.h>

enum { THREADS = 256, EACH = 8 };

/* A thread's products: EACH elements that lie a block apart, so that the warp reads neighbours. */
static __device__ float products(Vector a, Vector b) {
    const int first = blockIdx.x * THREADS * EACH + threadIdx.x;
    float sum = 0;
    for (int n = 0; n < EACH; n++) {
        const int i = first + n * THREADS;
        sum += i < a.count ? a.values[i] * b.values[i] : 0;
    }
    return sum;
}

/* ---- alone: the first thread adds what the others have put into shared memory ---- */

KERNEL(dot, alone, THREADS, 1, EACH, 1, 0) {
    __shared__ float sums[THREADS];
    sums[threadIdx.x] = products(a, b);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    float sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += sums[i];
    out[blockIdx.x] = sum;
}

/* ---- atomic: all threads add to one place, one after the other ---- */

KERNEL(dot, atomic, THREADS, 1, EACH, 1, 0) {
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, products(a, b));
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

/* ---- shared: in halves ---- */

KERNEL(dot, shared, THREADS, 1, EACH, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x;
    sums[thread] = products(a, b);
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- shuffle: a warp needs no memory for its sum; the warps' sums are added by the first warp ---- */

static __device__ float add_warp(float sum) {
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, half);
    return sum;
}

KERNEL(dot, shuffle, THREADS, 1, EACH, 1, 0) {
    __shared__ float sums[THREADS / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float own = add_warp(products(a, b));
    if (lane == 0)
        sums[warp] = own;
    __syncthreads();
    if (warp > 0)
        return;
    const float sum = add_warp(lane < THREADS / 32 ? sums[lane] : 0);
    if (lane == 0)
        out[blockIdx.x] = sum;
}
