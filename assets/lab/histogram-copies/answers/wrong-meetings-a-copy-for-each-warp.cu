/* glint lab: histogram-copies */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 8, EACH = 16, BINS = 256, COPIES = 8 };

KERNEL(histogram, mine, BLOCK_X, BLOCK_Y, 1, EACH, 0) {
    __shared__ unsigned bins[COPIES][BINS];
    const int thread = threadIdx.y * BLOCK_X + threadIdx.x, x = column(), copy = threadIdx.y;
    const int top = blockIdx.y * BLOCK_Y * EACH + threadIdx.y;
    for (int i = 0; i < COPIES; i++)
        bins[i][thread] = 0;
    __syncthreads();
    for (int k = 0; k < EACH; k++) {
        const int y = top + k * BLOCK_Y;
        if (x < in.width && y < in.height)
            atomicAdd(&bins[copy][(int)at(in, x, y, 0)], 1u);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < COPIES; i++)
        sum += bins[i][thread];
    if (sum > 0)
        atomicAdd(&counts[thread], sum);
}
