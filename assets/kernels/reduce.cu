/* reduce.cu: a sum in seven steps. Each mends what holds the one before it up. */
#include <glint/kernel.h>

enum { THREADS = 256 };

/* The element, or 0 behind the last one. */
static __device__ float element(Vector in, int i) {
    return i < in.count ? in.values[i] : 0;
}

/* ---- 1: every second thread adds, then every fourth, ...: warps diverge, and the remainder is slow ---- */

KERNEL(reduce, interleaved, THREADS, 1, 1, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x;
    sums[thread] = element(in, column());
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        if (thread % (2 * step) == 0)
            sums[thread] += sums[thread + step];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- 2: the first threads add, at the same places: whole warps work, but on words of the same banks ---- */

KERNEL(reduce, strided, THREADS, 1, 1, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x;
    sums[thread] = element(in, column());
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int place = 2 * step * thread;
        if (place < THREADS)
            sums[place] += sums[place + step];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- 3: the second half is added to the first: neighbours use neighbouring banks ---- */

KERNEL(reduce, sequential, THREADS, 1, 1, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x;
    sums[thread] = element(in, column());
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- 4: half of the threads were idle after their load: each adds two elements while it loads ---- */

KERNEL(reduce, first_add, THREADS, 1, 2, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, first = blockIdx.x * 2 * THREADS + thread;
    sums[thread] = element(in, first) + element(in, first + THREADS);
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- 5: a single warp is left in the end: it waits for nobody but itself ---- */

static __device__ void add_last_warp(float *sums, int thread) {
    float sum = sums[thread];
    for (int half = 32; half > 0; half /= 2) {
        sum += sums[thread + half];
        __syncwarp();
        sums[thread] = sum;
        __syncwarp();
    }
}

KERNEL(reduce, last_warp, THREADS, 1, 2, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, first = blockIdx.x * 2 * THREADS + thread;
    sums[thread] = element(in, first) + element(in, first + THREADS);
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

/* ---- 6: the block's size is known to the compiler: nothing is left of the loop but its additions ---- */

template <int HALF> static __device__ void add_halves(float *sums, int thread) {
    if constexpr (HALF > 32) {
        if (thread < HALF)
            sums[thread] += sums[thread + HALF];
        __syncthreads();
        add_halves<HALF / 2>(sums, thread);
    } else if (thread < 32) {
        add_last_warp(sums, thread);
    }
}

KERNEL(reduce, unrolled, THREADS, 1, 2, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, first = blockIdx.x * 2 * THREADS + thread;
    sums[thread] = element(in, first) + element(in, first + THREADS);
    __syncthreads();
    add_halves<THREADS / 2>(sums, thread);
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}

/* ---- 7: each thread adds many elements, in steps of the whole grid: the tree is climbed once for all of them ---- */

KERNEL(reduce, many, THREADS, 1, 16, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, all = gridDim.x * THREADS;
    float sum = 0;
    for (int i = column(); i < in.count; i += all)
        sum += in.values[i];
    sums[thread] = sum;
    __syncthreads();
    add_halves<THREADS / 2>(sums, thread);
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}
