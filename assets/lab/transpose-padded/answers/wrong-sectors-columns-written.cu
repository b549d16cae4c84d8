/* glint lab: transpose-padded */
#include <glint/kernel.h>

enum { TILE = 32, ROWS = 8 };

KERNEL(move, mine, TILE, ROWS, 1, TILE / ROWS, 0) {
    const int left = blockIdx.x * TILE, y = blockIdx.y * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (left + j < out.width && y < out.height)
            store(out, left + j, y, 0, at(in, y, left + j, 0));
}
