/* glint lab: dot-many */
#include <glint/kernel.h>

enum { THREADS = 256 };

KERNEL(dot, mine, THREADS, 1, 16, 1, 0) {
    __shared__ float sums[THREADS];
    const int thread = threadIdx.x;
    float sum = 0;
    for (int i = 16 * column(); i < 16 * column() + 16 && i < a.count; i++)
        sum += a.values[i] * b.values[i];
    sums[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            sums[thread] += sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = sums[0];
}
