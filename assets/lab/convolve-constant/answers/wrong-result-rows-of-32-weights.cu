/* glint lab: convolve-constant */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

enum { BLOCK_X = 32, BLOCK_Y = 8 };

KERNEL(convolve, mine, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        for (int i = 0; i < mask.width; i++)
            sum += constant_weights[j * 5 + i] * load(in, x + i - mask.width / 2, y + j - mask.height / 2, 0);
    store(out, x, y, 0, sum / mask.divisor + mask.bias);
}
