/* glint lab: convolve-known */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

enum { BLOCK_X = 32, BLOCK_Y = 8 };

/* The sum under a mask whose size the compiler knows: its loops are written out. */
template <int WIDTH, int HEIGHT> static __device__ Sum sum_known(const float *tile) {
    Sum sum = 0;
#pragma unroll
    for (int j = 0; j < HEIGHT; j++)
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            sum += constant_weights[j * WIDTH + i] * tile[j * (BLOCK_X + WIDTH - 1) + i];
    return sum;
}

KERNEL(convolve, mine, BLOCK_X, BLOCK_Y, 1, 1, HALO(sizeof(float))) {
    extern __shared__ float tile[];
    const int width = BLOCK_X + mask.width - 1, height = BLOCK_Y + mask.height - 1;
    const int left = blockIdx.x * BLOCK_X - mask.width / 2, top = blockIdx.y * BLOCK_Y - mask.height / 2;
    for (int j = threadIdx.y; j < height; j += BLOCK_Y)
        for (int i = threadIdx.x; i < width; i += BLOCK_X)
            tile[j * width + i] = load(in, left + i, top + j, 0);
    __syncthreads();
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    const float *first = tile + threadIdx.y * width + threadIdx.x;
    const bool known = mask.width == 5 && mask.height == 5;
    if (known)
        store(out, x, y, 0, sum_known<5, 5>(first) / mask.divisor + mask.bias);
}
