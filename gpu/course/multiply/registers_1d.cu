/* registers_1d.cu: a thread has eight values below one another: each value it reads of B serves all of them. */
#include "gpu/course/multiply/matrix.cuh"

enum { TILE = 64, TERMS = 8, EACH = 8, THREADS = TILE * TILE / EACH };

__global__ void __launch_bounds__(THREADS) multiply_registers_1d(const __grid_constant__ Matrices m) {
    __shared__ float a[TILE][TERMS], b[TERMS][TILE];
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE, t = threadIdx.x;
    const int column = t % TILE, row = t / TILE * EACH;
    float sums[EACH] = {};
    for (int k = 0; k < m.terms; k += TERMS) {
        a[t / TERMS][t % TERMS] = value_at(m.a, m.a_pitch, top + t / TERMS, k + t % TERMS, m.rows, m.terms);
        b[t / TILE][column] = value_at(m.b, m.b_pitch, k + t / TILE, left + column, m.terms, m.columns);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TERMS; i++) {
            const float factor = b[i][column];
#pragma unroll
            for (int j = 0; j < EACH; j++)
                sums[j] += a[row + j][i] * factor;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < EACH; j++)
        if (top + row + j < m.rows && left + column < m.columns)
            m.c[(size_t)(top + row + j) * m.c_pitch + left + column] = sums[j];
}

static Status run(Queue *queue, const Stage *stage) {
    return launch_tiles(queue, "multiply registers-1d", (const void *)multiply_registers_1d, matrices_of(stage), TILE,
                        TILE, THREADS);
}

extern "C" const Level cuda_multiply_registers_1d = {
    .op = &op_multiply,
    .name = "registers-1d",
    .idea = "eight values a thread, one below the other: a value of B stays in a register for all of them",
    .accepts = multiply_accepts_f32,
    .run = run,
};
