/* A convolution: one thread a pixel, and a test for the border at every tap. */
#include <glint/kernel.h>

KERNEL(convolve, mine, 32, 8, 1, 1, 0) {
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
