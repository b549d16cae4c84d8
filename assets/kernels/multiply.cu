/* multiply.cu: a product of matrices: threads down columns, threads along rows, and tiles in shared memory. */
#include <glint/kernel.h>

static __device__ float element(Matrix m, int x, int y) {
    return x < m.width && y < m.height ? m.values[(long long)y * m.stride + x] : 0;
}

/* ---- naive: the threads of a warp lie in a column of c: each reads a row of a of its own ---- */

KERNEL(multiply, naive, 1, 256, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= c.width || y >= c.height)
        return;
    float sum = 0;
    for (int k = 0; k < a.width; k++)
        sum += element(a, k, y) * element(b, x, k);
    c.values[(long long)y * c.stride + x] = sum;
}

/* ---- coalesced: they lie in a row of c: they read neighbours in b, and one value of a ---- */

KERNEL(multiply, coalesced, 256, 1, 1, 1, 0) {
    const int x = column(), y = row();
    if (x >= c.width || y >= c.height)
        return;
    float sum = 0;
    for (int k = 0; k < a.width; k++)
        sum += element(a, k, y) * element(b, x, k);
    c.values[(long long)y * c.stride + x] = sum;
}

/* ---- tiled: a block reads tiles of a and b together, and uses each value 16 times ---- */

enum { TILE = 16 };

KERNEL(multiply, tiled, TILE, TILE, 1, 1, 0) {
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    const int x = column(), y = row(), i = threadIdx.x, j = threadIdx.y;
    float sum = 0;
    for (int first = 0; first < a.width; first += TILE) {
        of_a[j][i] = element(a, first + i, y);
        of_b[j][i] = element(b, x, first + j);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += of_a[j][k] * of_b[k][i];
        __syncthreads();
    }
    if (x < c.width && y < c.height)
        c.values[(long long)y * c.stride + x] = sum;
}

/* ---- registers: a thread computes four values of a column: one value of b from shared memory serves all four ---- */

enum { EACH = 4 };

KERNEL(multiply, registers, TILE, TILE, 1, EACH, 0) {
    __shared__ float of_a[EACH * TILE][TILE], of_b[TILE][TILE];
    const int x = column(), i = threadIdx.x, j = threadIdx.y, top = blockIdx.y * EACH * TILE + j;
    float sums[EACH] = {0};
    for (int first = 0; first < a.width; first += TILE) {
        for (int n = 0; n < EACH; n++)
            of_a[n * TILE + j][i] = element(a, first + i, top + n * TILE);
        of_b[j][i] = element(b, x, first + j);
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            for (int n = 0; n < EACH; n++)
                sums[n] += of_a[n * TILE + j][k] * of_b[k][i];
        __syncthreads();
    }
    for (int n = 0; n < EACH; n++)
        if (x < c.width && top + n * TILE < c.height)
            c.values[(long long)(top + n * TILE) * c.stride + x] = sums[n];
}
