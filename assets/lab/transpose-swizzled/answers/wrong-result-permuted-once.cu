/* glint lab: transpose-swizzled */
#include <glint/kernel.h>

enum { TILE = 32, ROWS = 8 };

KERNEL(move, mine, TILE, ROWS, 1, TILE / ROWS, 0) {
    __shared__ Value tile[TILE][TILE];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE, i = threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (top + i < in.width && left + j < in.height)
            tile[j][i ^ j] = at(in, top + i, left + j, 0);
    __syncthreads();
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (left + i < out.width && top + j < out.height)
            store(out, left + i, top + j, 0, tile[i][j]);
}
