/* convolve.cu: the convolution in five steps. First everything comes from global memory, then the mask from constant
 * memory. Then the block's pixels lie in shared memory, and the halo around them, too. At last masks are taken apart. */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* masks of up to 32 x 32 */

/* ---- naive: each tap reads its weight and its pixel from global memory ---- */

KERNEL(convolve, naive, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            for (int i = 0; i < mask.width; i++)
                sum += mask.weights[j * mask.width + i] * load(in, x + i - mask.width / 2, y + j - mask.height / 2, c);
        store(out, x, y, c, sum / mask.divisor + mask.bias);
    }
}

/* ---- constant: all threads of a warp want the same weight, and constant memory has it for all of them at once ---- */

KERNEL(convolve, constant, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            for (int i = 0; i < mask.width; i++)
                sum +=
                    constant_weights[j * mask.width + i] * load(in, x + i - mask.width / 2, y + j - mask.height / 2, c);
        store(out, x, y, c, sum / mask.divisor + mask.bias);
    }
}

/* ---- shared: the block's own pixels are read once. The cache has its neighbours ---- */

enum { BLOCK_X = 32, BLOCK_Y = 8 };

KERNEL(convolve, shared, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    __shared__ Value tile[BLOCK_Y][BLOCK_X][CHANNELS];
    const int x = column(), y = row(), tx = threadIdx.x, ty = threadIdx.y;
    const bool inside = x < out.width && y < out.height;
    for (int c = 0; c < CHANNELS && inside; c++)
        tile[ty][tx][c] = at(in, x, y, c);
    __syncthreads();
    if (!inside)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            for (int i = 0; i < mask.width; i++) {
                const int dx = i - mask.width / 2, dy = j - mask.height / 2;
                const bool here = tx + dx >= 0 && tx + dx < BLOCK_X && ty + dy >= 0 && ty + dy < BLOCK_Y &&
                                  x + dx < in.width && y + dy < in.height;
                sum += constant_weights[j * mask.width + i] *
                       (here ? (float)tile[ty + dy][tx + dx][c] : load(in, x + dx, y + dy, c));
            }
        store(out, x, y, c, sum / mask.divisor + mask.bias);
    }
}

/* ---- halo: the tile has the pixels around the block, too. No tap asks where it is ---- */

KERNEL(convolve, halo, BLOCK_X, BLOCK_Y, 1, 1, HALO(sizeof(Value) * CHANNELS)) {
    extern __shared__ Value pixels[];
    const int width = BLOCK_X + mask.width - 1, height = BLOCK_Y + mask.height - 1;
    const int left = blockIdx.x * BLOCK_X - mask.width / 2, top = blockIdx.y * BLOCK_Y - mask.height / 2;
    for (int j = threadIdx.y; j < height; j += BLOCK_Y)
        for (int i = threadIdx.x; i < width; i += BLOCK_X)
            for (int c = 0; c < CHANNELS; c++)
                pixels[(j * width + i) * CHANNELS + c] = (Value)load(in, left + i, top + j, c);
    __syncthreads();
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            for (int i = 0; i < mask.width; i++)
                sum += constant_weights[j * mask.width + i] *
                       (float)pixels[((threadIdx.y + j) * width + threadIdx.x + i) * CHANNELS + c];
        store(out, x, y, c, sum / mask.divisor + mask.bias);
    }
}

/* ---- separable: a mask that is a column times a row takes width + height taps instead of width * height. The tile's
 * rows are added first, into shared memory, then their sums down the columns ---- */

KERNEL(convolve, separable, BLOCK_X, BLOCK_Y, 1, 1, HALO((sizeof(Sum) + sizeof(Value)) * CHANNELS)) {
    extern __shared__ Sum sums[]; /* of a row's taps; the tile lies behind them */
    const int width = BLOCK_X + mask.width - 1, height = BLOCK_Y + mask.height - 1;
    const int left = blockIdx.x * BLOCK_X - mask.width / 2, top = blockIdx.y * BLOCK_Y - mask.height / 2;
    Value *tile = (Value *)(sums + width * height * CHANNELS);
    for (int j = threadIdx.y; j < height; j += BLOCK_Y)
        for (int i = threadIdx.x; i < width; i += BLOCK_X)
            for (int c = 0; c < CHANNELS; c++)
                tile[(j * width + i) * CHANNELS + c] = (Value)load(in, left + i, top + j, c);
    __syncthreads();
    for (int j = threadIdx.y; j < height && mask.separable; j += BLOCK_Y)
        for (int c = 0; c < CHANNELS; c++) {
            Sum sum = 0;
            for (int i = 0; i < mask.width; i++)
                sum += mask.across[i] * (float)tile[(j * width + threadIdx.x + i) * CHANNELS + c];
            sums[(j * BLOCK_X + threadIdx.x) * CHANNELS + c] = sum;
        }
    __syncthreads();
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++) {
        Sum sum = 0;
        for (int j = 0; j < mask.height; j++)
            if (mask.separable)
                sum += mask.down[j] * sums[((threadIdx.y + j) * BLOCK_X + threadIdx.x) * CHANNELS + c];
            else
                for (int i = 0; i < mask.width; i++)
                    sum += mask.weights[j * mask.width + i] *
                           (float)tile[((threadIdx.y + j) * width + threadIdx.x + i) * CHANNELS + c];
        store(out, x, y, c, sum / mask.divisor + mask.bias);
    }
}
