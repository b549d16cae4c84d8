/* glint lab: histogram-shared */
#include <glint/kernel.h>

enum { BLOCK_X = 32, BLOCK_Y = 8 };

KERNEL(histogram, mine, BLOCK_X, BLOCK_Y, 1, 1, 0) {
    const int x = column(), y = row();
    if (x < in.width && y < in.height)
        atomicAdd(&counts[(int)at(in, x, y, 0)], 1u);
}
