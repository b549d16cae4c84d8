/* glint lab: transpose-swizzled */
#include <glint/kernel.h>

enum { TILE = 32, ROWS = 8 };

KERNEL(move, mine, TILE, ROWS, 1, TILE / ROWS, 0) {
    const int x = column(), top = blockIdx.y * TILE;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (x < out.width && top + j < out.height)
            store(out, x, top + j, 0, at(in, top + j, x, 0));
}
