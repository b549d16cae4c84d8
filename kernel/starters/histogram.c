/* A histogram: each part has counts of its own, which are added behind it. */
#include <glint/kernel.h>

KERNEL(histogram, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < in.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                counts[256 * c + (int)at(in, x, y, c)]++;
}
