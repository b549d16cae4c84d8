/* glint lab: convolve-separable */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 16 };

KERNEL(convolve, mine, BLOCK_X, BLOCK_Y, 1, 1, HALO(2 * sizeof(float))) {
    extern __shared__ float tile[];
    const int width = BLOCK_X + mask.width - 1, height = BLOCK_Y + mask.height - 1;
    const int left = blockIdx.x * BLOCK_X - mask.width / 2, top = blockIdx.y * BLOCK_Y - mask.height / 2;
    float *sums = tile + width * height; /* along the rows of the tile */
    for (int j = threadIdx.y; j < height; j += BLOCK_Y)
        for (int i = threadIdx.x; i < width; i += BLOCK_X)
            tile[j * width + i] = load(in, left + i, top + j, 0);
    __syncthreads();
    for (int j = threadIdx.y; j < height; j += BLOCK_Y) {
        Sum sum = 0;
        for (int i = 0; i < mask.width; i++)
            sum += mask.across[i] * tile[j * width + threadIdx.x + i];
        sums[j * BLOCK_X + threadIdx.x] = sum;
    }
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        sum += mask.down[j] * sums[(threadIdx.y + j) * BLOCK_X + threadIdx.x];
    store(out, x, y, 0, sum / mask.divisor + mask.bias);
}
