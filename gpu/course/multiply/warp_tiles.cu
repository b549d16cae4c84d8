/* warp_tiles.cu: between the block's tile and the thread's lies that of a warp, 32 by 64. Its threads read pieces of 64
 * and of 128 bytes of shared memory at once, which lie together, without a bank conflict. A thread has two pieces of
 * four rows by two of four columns: four reads for 64 multiply-adds. */
#include "gpu/course/multiply/matrix.cuh"

enum { TILE = 128, TERMS = 16, THREADS = 256, PIECES_DOWN = 2, PIECES_ACROSS = 2, PAD = 4 };

__global__ void __launch_bounds__(THREADS, 2) multiply_warp_tiles(const __grid_constant__ Matrices m, bool wide) {
    __shared__ __align__(16) float a[TERMS][TILE + PAD], b[TERMS][TILE];
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE, t = threadIdx.x;
    const int warp = t / 32, lane = t % 32;
    const int row = warp / 2 * 32 + lane / 8 * 4, column = warp % 2 * 64 + lane % 8 * 4; /* of the first piece */
    float sums[PIECES_DOWN * 4][PIECES_ACROSS * 4] = {};
    for (int k = 0; k < m.terms; k += TERMS) {
#pragma unroll
        for (int i = t; i < TILE * TERMS / 4; i += THREADS) {
            const int y = i / (TERMS / 4), z = i % (TERMS / 4) * 4;
            const float4 of_a = four_at(m.a, m.a_pitch, top + y, k + z, m.rows, m.terms, wide);
            a[z][y] = of_a.x;
            a[z + 1][y] = of_a.y;
            a[z + 2][y] = of_a.z;
            a[z + 3][y] = of_a.w;
            *(float4 *)&b[i / (TILE / 4)][i % (TILE / 4) * 4] =
                four_at(m.b, m.b_pitch, k + i / (TILE / 4), left + i % (TILE / 4) * 4, m.terms, m.columns, wide);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TERMS; i++) {
            __align__(16) float down[PIECES_DOWN * 4], across[PIECES_ACROSS * 4];
#pragma unroll
            for (int j = 0; j < PIECES_DOWN; j++)
                *(float4 *)(down + 4 * j) = *(const float4 *)&a[i][row + 16 * j];
#pragma unroll
            for (int j = 0; j < PIECES_ACROSS; j++)
                *(float4 *)(across + 4 * j) = *(const float4 *)&b[i][column + 32 * j];
#pragma unroll
            for (int y = 0; y < PIECES_DOWN * 4; y++)
#pragma unroll
                for (int x = 0; x < PIECES_ACROSS * 4; x++)
                    sums[y][x] += down[y] * across[x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < PIECES_DOWN * 4; y++)
#pragma unroll
        for (int j = 0; j < PIECES_ACROSS; j++)
            put_four(m, top + row + y / 4 * 16 + y % 4, left + column + 32 * j, &sums[y][4 * j], wide);
}

static Status run(Queue *queue, const Stage *stage) {
    Matrices m = matrices_of(stage);
    bool wide = is_wide(stage->in[0]) && is_wide(stage->in[1]) && is_wide(stage->out);
    const Launch launch = {dim3(blocks_for(m.columns, TILE), blocks_for(m.rows, TILE)), dim3(THREADS), 0};
    void *arguments[] = {&m, &wide};
    return gpu_launch(queue, "multiply warp-tiles", (const void *)multiply_warp_tiles, launch, arguments);
}

extern "C" const Level cuda_multiply_warp_tiles = {
    .op = &op_multiply,
    .name = "warp-tiles",
    .idea = "a tile for each warp, 32 by 64, laid out so that its reads of shared memory lie together; eight by eight "
            "values a thread",
    .accepts = multiply_accepts_f32,
    .run = run,
};
