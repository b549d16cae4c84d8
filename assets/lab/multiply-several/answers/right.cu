/* glint lab: multiply-several */
#include <glint/kernel.h>

enum { TILE = 16, EACH = 4, ROWS = TILE * EACH };

/* The element, or 0 outside. */
static __device__ float element(Matrix m, int x, int y) {
    return x < m.width && y < m.height ? m.values[y * m.stride + x] : 0;
}

KERNEL(multiply, mine, TILE, TILE, 1, EACH, 0) {
    __shared__ float left[ROWS][TILE], right[TILE][TILE];
    const int x = column(), top = blockIdx.y * ROWS, tx = threadIdx.x, ty = threadIdx.y;
    float sums[EACH] = {0};
    for (int first = 0; first < a.width; first += TILE) {
        for (int n = 0; n < EACH; n++)
            left[ty + n * TILE][tx] = element(a, first + tx, top + ty + n * TILE);
        right[ty][tx] = element(b, x, first + ty);
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            const float value = right[k][tx];
            for (int n = 0; n < EACH; n++)
                sums[n] += left[ty + n * TILE][k] * value;
        }
        __syncthreads();
    }
    for (int n = 0; n < EACH; n++)
        if (x < c.width && top + ty + n * TILE < c.height)
            c.values[(top + ty + n * TILE) * c.stride + x] = sums[n];
}
