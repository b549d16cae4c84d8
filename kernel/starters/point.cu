/* A point function: one thread a pixel. */
#include <glint/kernel.h>

KERNEL(point, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, point.scale * at(in, x, y, c) + point.offset);
}
