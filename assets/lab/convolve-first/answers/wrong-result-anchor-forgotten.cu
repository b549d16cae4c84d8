/* glint lab: convolve-first */
#include <glint/kernel.h>

KERNEL(convolve, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    Sum sum = 0;
    for (int j = 0; j < mask.height; j++)
        for (int i = 0; i < mask.width; i++)
            sum += mask.weights[j * mask.width + i] * load(in, x + i, y + j, 0);
    store(out, x, y, 0, sum / mask.divisor + mask.bias);
}
