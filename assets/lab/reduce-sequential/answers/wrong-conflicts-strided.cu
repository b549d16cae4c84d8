/* glint lab: reduce-sequential */
#include <glint/kernel.h>

enum { THREADS = 256 };

KERNEL(reduce, mine, THREADS, 1, 1, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, i = column();
    sums[thread] = i < in.count ? in.values[i] : 0;
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
