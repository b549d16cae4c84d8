/* glint lab: dot-many */
#include <glint/kernel.h>

enum { THREADS = 256 };

KERNEL(dot, mine, THREADS, 1, 16, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x, all = gridDim.x * THREADS;
    float sum = 0;
    for (int i = column(); i < a.count; i += all)
        sum += a.values[i] * b.values[i];
    sums[thread] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}
