/* glint lab: histogram-shared */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 8, EACH = 64, BINS = 256 };

KERNEL(histogram, mine, BLOCK_X, BLOCK_Y, 1, EACH, 0) {
    __shared__ unsigned bins[BINS];
    const int thread = threadIdx.y * BLOCK_X + threadIdx.x, x = column();
    const int top = blockIdx.y * BLOCK_Y * EACH + threadIdx.y;
    bins[thread] = 0;
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
        const int y = top + k * BLOCK_Y;
        if (x < in.width && y < in.height)
            atomicAdd(&bins[(int)at(in, x, y, 0)], 1u);
    }
    __syncthreads();
    if (bins[thread] > 0)
        atomicAdd(&counts[thread], bins[thread]);
}
