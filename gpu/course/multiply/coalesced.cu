/* coalesced.cu: one thread a value, neighbours side by side: a warp reads a piece of a row of B, and one value of A. */
#include "gpu/course/multiply/matrix.cuh"

enum { SIDE = 32 };

__global__ void multiply_coalesced(const __grid_constant__ Matrices m) {
    const int y = blockIdx.y * SIDE + threadIdx.x / SIDE, x = blockIdx.x * SIDE + threadIdx.x % SIDE;
    if (y >= m.rows || x >= m.columns)
        return;
    float sum = 0;
    for (int k = 0; k < m.terms; k++)
        sum += m.a[(size_t)y * m.a_pitch + k] * m.b[(size_t)k * m.b_pitch + x];
    m.c[(size_t)y * m.c_pitch + x] = sum;
}

static Status run(Queue *queue, const Stage *stage) {
    return launch_tiles(queue, "multiply coalesced", (const void *)multiply_coalesced, matrices_of(stage), SIDE, SIDE,
                        SIDE * SIDE);
}

extern "C" const Level cuda_multiply_coalesced = {
    .op = &op_multiply,
    .name = "coalesced",
    .idea = "the threads of a warp side by side: their reads of B are one segment, their reads of A one value",
    .accepts = multiply_accepts_f32,
    .run = run,
};
