/* A transposed picture: writes go along rows, reads down columns. */
#include <glint/kernel.h>

KERNEL(move, mine) {
    for (int y = part.first; y < part.last; y++)
        for (int x = 0; x < out.width; x++)
            for (int c = 0; c < CHANNELS; c++)
                store(out, x, y, c, at(in, y, x, c));
}
