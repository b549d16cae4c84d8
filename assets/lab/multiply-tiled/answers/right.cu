/* glint lab: multiply-tiled */
#include <glint/kernel.h>

enum { TILE = 32 };

/* The element, or 0 outside. */
static __device__ float element(Matrix m, int x, int y) {
    return x < m.width && y < m.height ? m.values[y * m.stride + x] : 0;
}

KERNEL(multiply, mine, TILE, TILE, 1, 1, 0) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    const int x = column(), y = row(), tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int first = 0; first < a.width; first += TILE) {
        left[ty][tx] = element(a, first + tx, y);
        right[ty][tx] = element(b, x, first + ty);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (x < c.width && y < c.height)
        c.values[y * c.stride + x] = sum;
}
