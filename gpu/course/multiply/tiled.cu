/* tiled.cu: a block fetches a tile of A and a tile of B, of which each value serves 32 threads. */
#include "gpu/course/multiply/matrix.cuh"

enum { SIDE = 32 };

__global__ void __launch_bounds__(SIDE *SIDE) multiply_tiled(const __grid_constant__ Matrices m) {
    __shared__ float a[SIDE][SIDE], b[SIDE][SIDE];
    const int row = threadIdx.x / SIDE, column = threadIdx.x % SIDE;
    const int y = blockIdx.y * SIDE + row, x = blockIdx.x * SIDE + column;
    float sum = 0;
    for (int k = 0; k < m.terms; k += SIDE) {
        a[row][column] = value_at(m.a, m.a_pitch, y, k + column, m.rows, m.terms);
        b[row][column] = value_at(m.b, m.b_pitch, k + row, x, m.terms, m.columns);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a[row][i] * b[i][column];
        __syncthreads();
    }
    if (y < m.rows && x < m.columns)
        m.c[(size_t)y * m.c_pitch + x] = sum;
}

static Status run(Queue *queue, const Stage *stage) {
    return launch_tiles(queue, "multiply tiled", (const void *)multiply_tiled, matrices_of(stage), SIDE, SIDE,
                        SIDE * SIDE);
}

extern "C" const Level cuda_multiply_tiled = {
    .op = &op_multiply,
    .name = "tiled",
    .idea = "tiles of A and B in shared memory: each value is fetched once for 32 threads",
    .accepts = multiply_accepts_f32,
    .run = run,
};
