/* The weighted mean of two pictures: one thread a pixel. */
#include <glint/kernel.h>

KERNEL(blend, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        store(out, x, y, c, (1 - weight) * at(a, x, y, c) + weight * at(b, x, y, c));
}
