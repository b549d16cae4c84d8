/* vectorized.cu: four values in each access: of device memory, and of shared memory, where A lies transposed. */
#include "gpu/course/multiply/matrix.cuh"

enum { TILE = 128, TERMS = 8, EACH = 8, ACROSS = TILE / EACH, THREADS = ACROSS * ACROSS };

__global__ void __launch_bounds__(THREADS) multiply_vectorized(const __grid_constant__ Matrices m, bool wide) {
    __shared__ __align__(16) float a[TERMS][TILE], b[TERMS][TILE];
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE, t = threadIdx.x;
    const int row = t / ACROSS * EACH, column = t % ACROSS * EACH;
    const int a_row = t / (TERMS / 4), a_term = t % (TERMS / 4) * 4, b_term = t / (TILE / 4),
              b_column = t % (TILE / 4) * 4;
    float sums[EACH][EACH] = {};
    for (int k = 0; k < m.terms; k += TERMS) {
        const float4 of_a = four_at(m.a, m.a_pitch, top + a_row, k + a_term, m.rows, m.terms, wide);
        a[a_term][a_row] = of_a.x;
        a[a_term + 1][a_row] = of_a.y;
        a[a_term + 2][a_row] = of_a.z;
        a[a_term + 3][a_row] = of_a.w;
        *(float4 *)&b[b_term][b_column] =
            four_at(m.b, m.b_pitch, k + b_term, left + b_column, m.terms, m.columns, wide);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TERMS; i++) {
            __align__(16) float down[EACH], across[EACH];
#pragma unroll
            for (int j = 0; j < EACH; j += 4) {
                *(float4 *)(down + j) = *(const float4 *)&a[i][row + j];
                *(float4 *)(across + j) = *(const float4 *)&b[i][column + j];
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
        for (int x = 0; x < EACH; x += 4)
            put_four(m, top + row + y, left + column + x, &sums[y][x], wide);
}

static Status run(Queue *queue, const Stage *stage) {
    Matrices m = matrices_of(stage);
    bool wide = is_wide(stage->in[0]) && is_wide(stage->in[1]) && is_wide(stage->out);
    const Launch launch = {dim3(blocks_for(m.columns, TILE), blocks_for(m.rows, TILE)), dim3(THREADS), 0};
    void *arguments[] = {&m, &wide};
    return gpu_launch(queue, "multiply vectorized", (const void *)multiply_vectorized, launch, arguments);
}

extern "C" const Level cuda_multiply_vectorized = {
    .op = &op_multiply,
    .name = "vectorized",
    .idea = "four values in each access, of device memory and of shared memory, where A lies transposed for it",
    .accepts = multiply_accepts_f32,
    .run = run,
};
