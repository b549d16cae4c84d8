/* glint lab: convolve-separable */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

enum { BLOCK_X = 32, BLOCK_Y = 8 };

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
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        for (int i = 0; i < mask.width; i++)
            sum += constant_weights[j * mask.width + i] * tile[(threadIdx.y + j) * width + threadIdx.x + i];
    store(out, x, y, 0, sum / mask.divisor + mask.bias);
}
