// want: wrong first in cpu/convolve/halo .*; the first at 1, 0, channel 0: [0-9]+ instead of [0-9]+$
#include <glint/kernel.h>
KERNEL(convolve, halo) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++) {
                const int first = x - mask.width / 2 + (x > 0); /* one too far to the right */
                Sum sum = 0;
                for (int j = 0; j < mask.height; j++)
                    for (int i = 0; i < mask.width; i++)
                        sum += (Sum)mask.weights[j * mask.width + i] * load(in, first + i, y + j - mask.height / 2, c);
                store(out, x, y, c, sum / mask.divisor + mask.bias);
            }
}
