/* glint lab: reduce-sequential */
#include <glint/kernel.h>

enum { THREADS = 256 };

KERNEL(reduce, mine, THREADS, 1, 1, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, i = column();
    sums[thread] = i < in.count ? in.values[i] : 0;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}
