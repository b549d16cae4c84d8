/* glint lab: convolve-separable */
#include <glint/kernel.h>

__constant__ float constant_weights[1024]; /* the mask's */

KERNEL(convolve, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        for (int i = 0; i < mask.width; i++)
            sum += constant_weights[j * mask.width + i] * load(in, x + i - mask.width / 2, y + j - mask.height / 2, 0);
    store(out, x, y, 0, sum / mask.divisor + mask.bias);
}
