/* wgmma.cu: the tensor cores of Hopper, which read both tiles from shared memory: a group of warps multiplies 64 rows
 * by 256 columns. A step is given back once the next one's products are under way. */
#include "gpu/multiply/hopper.cuh"
#include "gpu/multiply/rounded.cuh"

struct Whole : Way<256, 1, 4> {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    static __device__ __forceinline__ void consume(const Product &m, int group, const Room &room) {
        const Tiles tiles = tiles_of<Whole>(m);
        const bool tells = threadIdx.x % GROUP < CLUSTER; /* each thread tells one block */
        Ring ring = {0, 0};
        float sums[SUMS];
        for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
            int top, left, before = -1;
            place_of<Whole>(tiles, tile, &top, &left);
            for (int k = 0; k < m.to.terms; k += TERMS, ring_next<Whole>(&ring)) {
                const uint32_t step = room.steps + ring.step * STEP_BYTES, a = step + group * (64 * TERMS * 2);
                const uint32_t b = step + A_BYTES;
                barrier_wait(room.full + ring.step * 8, ring.phase);
                products_begin();
#    pragma unroll
                for (int i = 0; i < TERMS / 16; i++)
                    multiply_tiles(sums, tile_at(a + i * 32, 16), tile_at(b + i * 16 * 128, BOX_BYTES), k > 0 || i > 0);
                products_end();
                products_wait<1>();
                if (before >= 0 && tells)
                    barrier_arrive(room.empty + before * 8, threadIdx.x % GROUP);
                before = ring.step;
            }
            products_done(sums);
            if (tells)
                barrier_arrive(room.empty + before * 8, threadIdx.x % GROUP);
            store_sums(m, sums, top + group * 64, left);
        }
    }
#endif
};

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_wgmma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   const __grid_constant__ Product m) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    multiply_hopper<Whole>(a, b, m);
#endif
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "it multiplies values of bf16";
    return multiply_job(stage)->precision == PRECISION_BF16 && accepts_hopper(device, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    Rounded rounded;
    TRY(round_matrices(queue, stage, &rounded));
    return run_hopper<Whole>(queue, stage, "multiply wgmma", (const void *)multiply_wgmma, rounded.a, rounded.a_pitch,
                             rounded.b, rounded.b_pitch);
}

extern "C" const Level cuda_multiply_wgmma = {
    .op = &op_multiply,
    .name = "wgmma",
    .idea = "Hopper's tensor cores, which read shared memory themselves: one group of warps has the copy engine bring "
            "tiles, two others only multiply",
    .accepts = accepts,
    .workspace = rounded_workspace,
    .run = run,
};
