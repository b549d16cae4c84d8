/* A point function: one value after the other. */
#include <glint/kernel.h>

KERNEL(point, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
