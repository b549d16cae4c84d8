/* A convolution: one pixel after the other, and a test for the border at every tap. */
#include <glint/kernel.h>

KERNEL(convolve, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++) {
                Sum sum = 0;
                for (int j = 0; j < mask.height; j++)
                    for (int i = 0; i < mask.width; i++)
                        sum += mask.weights[j * mask.width + i] *
                               load(in, x + i - mask.width / 2, y + j - mask.height / 2, c);
                store(out, x, y, c, sum / mask.divisor + mask.bias);
            }
}
