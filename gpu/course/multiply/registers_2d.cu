/* registers_2d.cu: a thread has eight by eight values: sixteen reads for 64 multiply-adds. */
#include "gpu/course/multiply/matrix.cuh"

enum { TILE = 128, TERMS = 8, EACH = 8, ACROSS = TILE / EACH, THREADS = ACROSS * ACROSS };

__global__ void __launch_bounds__(THREADS) multiply_registers_2d(const __grid_constant__ Matrices m) {
    __shared__ float a[TILE][TERMS], b[TERMS][TILE];
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE, t = threadIdx.x;
    const int row = t / ACROSS * EACH, column = t % ACROSS * EACH;
    float sums[EACH][EACH] = {};
    for (int k = 0; k < m.terms; k += TERMS) {
#pragma unroll
        for (int i = t; i < TILE * TERMS; i += THREADS) {
            a[i / TERMS][i % TERMS] = value_at(m.a, m.a_pitch, top + i / TERMS, k + i % TERMS, m.rows, m.terms);
            b[i / TILE][i % TILE] = value_at(m.b, m.b_pitch, k + i / TILE, left + i % TILE, m.terms, m.columns);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TERMS; i++) {
            float down[EACH], across[EACH];
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                down[j] = a[row + j][i];
                across[j] = b[i][column + j];
            }
#pragma unroll
            for (int y = 0; y < EACH; y++)
#pragma unroll
                for (int x = 0; x < EACH; x++)
                    sums[y][x] += down[y] * across[x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < EACH; y++)
#pragma unroll
        for (int x = 0; x < EACH; x++)
            if (top + row + y < m.rows && left + column + x < m.columns)
                m.c[(size_t)(top + row + y) * m.c_pitch + left + column + x] = sums[y][x];
}

static Status run(Queue *queue, const Stage *stage) {
    return launch_tiles(queue, "multiply registers-2d", (const void *)multiply_registers_2d, matrices_of(stage), TILE,
                        TILE, THREADS);
}

extern "C" const Level cuda_multiply_registers_2d = {
    .op = &op_multiply,
    .name = "registers-2d",
    .idea = "eight by eight values a thread: sixteen reads of shared memory for 64 multiply-adds",
    .accepts = multiply_accepts_f32,
    .run = run,
};
