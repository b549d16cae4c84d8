/* glint lab: histogram-shared */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 8, EACH = 16, BINS = 256 };

KERNEL(histogram, mine, BLOCK_X, BLOCK_Y, 1, EACH, 0) {
    __shared__ unsigned bins[BINS];
    const int thread = threadIdx.y * BLOCK_X + threadIdx.x;
    bins[thread] = 0;
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
        const int pixel = k * BINS + thread, x = blockIdx.x * BLOCK_X + pixel / (BLOCK_Y * EACH);
        const int y = blockIdx.y * BLOCK_Y * EACH + pixel % (BLOCK_Y * EACH);
        if (x < in.width && y < in.height)
            atomicAdd(&bins[(int)at(in, x, y, 0)], 1u);
    }
    __syncthreads();
    if (bins[thread] > 0)
        atomicAdd(&counts[thread], bins[thread]);
}
