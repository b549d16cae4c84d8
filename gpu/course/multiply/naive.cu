/* naive.cu: one thread a value, neighbours one below the other. */
#include "gpu/course/multiply/matrix.cuh"

enum { SIDE = 32 };

__global__ void multiply_naive(const __grid_constant__ Matrices m, int dropped) {
    const int y = blockIdx.y * SIDE + threadIdx.x, x = blockIdx.x * SIDE + threadIdx.y;
    if (y >= m.rows || x >= m.columns)
        return;
    float sum = 0;
    for (int k = 0; k < m.terms; k++)
        sum += precision_round(m.a[(size_t)y * m.a_pitch + k], dropped) *
               precision_round(m.b[(size_t)k * m.b_pitch + x], dropped);
    m.c[(size_t)y * m.c_pitch + x] = sum;
}

static Status run(Queue *queue, const Stage *stage) {
    Matrices m = matrices_of(stage);
    int dropped = precision_dropped(multiply_job(stage)->precision);
    const Launch launch = {dim3(blocks_for(m.columns, SIDE), blocks_for(m.rows, SIDE)), dim3(SIDE, SIDE), 0};
    void *arguments[] = {&m, &dropped};
    return gpu_launch(queue, "multiply naive", (const void *)multiply_naive, launch, arguments);
}

extern "C" const Level cuda_multiply_naive = {
    .op = &op_multiply,
    .name = "naive",
    .idea =
        "one thread a value of the product; the threads of a warp lie below one another, so that each reads another "
        "row of A",
    .run = run,
};
