/* A histogram: one thread a pixel, which counts by atomic additions in global memory. */
#include <glint/kernel.h>

KERNEL(histogram, mine, 32, 8, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= in.width || y >= in.height)
        return;
    for (int c = 0; c < CHANNELS; c++)
        atomicAdd(&counts[256 * c + (int)at(in, x, y, c)], 1u);
}
