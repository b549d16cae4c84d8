/* glint lab: dot-tree */
#include <glint/kernel.h>

enum { THREADS = 256 };

KERNEL(dot, mine, THREADS, 1, 1, 1, 0) {
    __shared__ float products[THREADS];
    const int thread = threadIdx.x, i = column();
    products[thread] = i < a.count ? a.values[i] * b.values[i] : 0;
    __syncthreads();
    if (thread > 0)
        return;
    float sum = 0;
    for (int k = 0; k < THREADS; k++)
        sum += products[k];
    out[blockIdx.x] = sum;
}
