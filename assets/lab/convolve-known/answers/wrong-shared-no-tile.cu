/* glint lab: convolve-known */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

template <int WIDTH, int HEIGHT> static __device__ Sum sum_known(Picture in, int left, int top) {
    Sum sum = 0;
#pragma unroll
    for (int j = 0; j < HEIGHT; j++)
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            sum += constant_weights[j * WIDTH + i] * load(in, left + i, top + j, 0);
    return sum;
}

static __device__ Sum sum_any(Picture in, int left, int top, Mask mask) {
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        for (int i = 0; i < mask.width; i++)
            sum += constant_weights[j * mask.width + i] * load(in, left + i, top + j, 0);
    return sum;
}

KERNEL(convolve, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row(), left = x - mask.width / 2, top = y - mask.height / 2;
    if (x >= out.width || y >= out.height)
        return;
    const bool known = mask.width == 5 && mask.height == 5;
    store(out, x, y, 0, (known ? sum_known<5, 5>(in, left, top) : sum_any(in, left, top, mask)) / mask.divisor + mask.bias);
}
