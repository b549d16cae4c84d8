/* glint lab: convolve-several */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

enum { BLOCK_X = 32, BLOCK_Y = 8, EACH = 4, ROWS = BLOCK_Y * EACH };

KERNEL(convolve, mine, BLOCK_X, BLOCK_Y, 1, EACH, HALO(sizeof(float))) {
    extern __shared__ float tile[];
    const int width = BLOCK_X + mask.width - 1, height = ROWS + mask.height - 1;
    const int left = blockIdx.x * BLOCK_X - mask.width / 2, top = blockIdx.y * ROWS - mask.height / 2;
    for (int j = threadIdx.y; j < height; j += BLOCK_Y)
        for (int i = threadIdx.x; i < width; i += BLOCK_X)
            tile[j * width + i] = load(in, left + i, top + j, 0);
    __syncthreads();
    const int first = threadIdx.y * EACH;
    Sum sums[EACH] = {0};
    for (int i = 0; i < mask.width; i++)
        for (int j = 0; j < mask.height + EACH - 1; j++) {
            const float value = tile[(first + j) * width + threadIdx.x + i];
            for (int k = 0; k < EACH; k++)
                if (j - k >= 0 && j - k < mask.height)
                    sums[k] += constant_weights[(j - k) * mask.width + i] * value;
        }
    for (int k = 0; k < EACH; k++) {
        const int x = column(), y = blockIdx.y * ROWS + first + k;
        if (x < out.width && y < out.height)
            store(out, x, y, 0, sums[k] / mask.divisor + mask.bias);
    }
}
