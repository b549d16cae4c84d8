/* A transposed picture: one thread a pixel. Writes go along rows, reads down columns. */
#include <glint/kernel.h>

KERNEL(move, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, at(in, y, x, c));
}
