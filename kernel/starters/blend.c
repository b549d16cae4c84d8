/* The weighted mean of two pictures: one value after the other. */
#include <glint/kernel.h>

KERNEL(blend, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, (1 - weight) * at(a, x, y, c) + weight * at(b, x, y, c));
}
