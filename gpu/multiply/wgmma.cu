/* wgmma.cu: the tensor cores of Hopper, which read both tiles from shared memory. The first warp group of a block
 * brings tiles there by the copy engine, four steps ahead at most; two others multiply 64 rows of them by 256 columns
 * each. Two blocks, one below the other, form a cluster: each fetches a half of B's tile for both. Blocks stay, and
 * take one tile of the product after the other, so that the next one's copies begin while the last one is stored. */
#include "gpu/multiply/rounded.cuh"

extern "C" {
#include "gpu/multiply/tensor_map.h"
}

enum {
    ROWS = 128,
    COLUMNS = 256,
    TERMS = 64, /* of a step: 128 bytes of A's rows */
    STEPS = 4,
    GROUP = 128, /* threads that multiply together */
    CONSUMERS = ROWS / 64,
    THREADS = (1 + CONSUMERS) * GROUP,
    CLUSTER = 2,
    BOX = 64, /* columns of B that a copy brings: 128 bytes */
    A_BYTES = ROWS * TERMS * 2,
    BOX_BYTES = BOX * TERMS * 2,
    B_BYTES = COLUMNS / BOX * BOX_BYTES,
    STEP_BYTES = A_BYTES + B_BYTES,
    ALIGNMENT = 1024, /* the pattern in which pieces of rows are exchanged */
    SHARED = STEPS * STEP_BYTES + ALIGNMENT + 2 * STEPS * 8,
    SUMS = 128, /* of a thread */
    BAND = 8    /* clusters of rows that are gone through column by column: they share what the L2 cache holds */
};

typedef struct Product {
    Matrices to;
    bool wide; /* pairs of values may be stored at once */
} Product;

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
/* ---- barriers in shared memory: a phase ends when all have arrived and all bytes expected are there ---- */

static __device__ __forceinline__ void barrier_init(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
static __device__ __forceinline__ void barrier_expect(uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
static __device__ __forceinline__ void barrier_wait(uint32_t barrier, int phase) {
    uint32_t done;
    do
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(barrier), "r"(phase)
                     : "memory");
    while (!done);
}
/* Arrives at the same barrier of a block of the cluster. */
static __device__ __forceinline__ void barrier_arrive(uint32_t barrier, int block) {
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
                 "r"(block)
                 : "memory");
}
static __device__ __forceinline__ void cluster_wait() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
static __device__ __forceinline__ int block_in_cluster() {
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return (int)rank;
}

/* ---- the copy engine ---- */

static __device__ __forceinline__ void copy_box(uint32_t to, const CUtensorMap &map, int x, int y, uint32_t barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
                 "[%4];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}
/* To the same place of all blocks of the cluster. */
static __device__ __forceinline__ void copy_box_to_all(uint32_t to, const CUtensorMap &map, int x, int y,
                                                       uint32_t barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"((uint16_t)((1 << CLUSTER) - 1))
                 : "memory");
}

/* ---- the tensor cores ---- */

/* What they are told of a tile whose rows of 128 bytes have their pieces exchanged (PTX ISA, matrix descriptors):
 * eight rows take 1024 bytes; `next` is from 64 columns to the next ones, where the rows run along the terms' side. */
static __device__ __forceinline__ uint64_t tile_at(uint32_t shared, int next) {
    return (uint64_t)(shared >> 4 & 0x3FFF) | (uint64_t)(next >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 | 1ULL << 62;
}

#    define SUMS8(i)                                                                                                   \
        "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]), "+f"(s[i + 6]),    \
            "+f"(s[i + 7])

/* clang-format off */
/* Adds the product of 64 x 16 values of A and 16 x 256 of B, or begins with it. */
static __device__ __forceinline__ void multiply_tiles(float (&s)[SUMS], uint64_t a, uint64_t b, int add) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, "
        "%72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, "
        "%88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, "
        "%104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, "
        "%120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, p, 1, 1, 0, 1;\n}"
        : SUMS8(0),
          SUMS8(8),
          SUMS8(16),
          SUMS8(24),
          SUMS8(32),
          SUMS8(40),
          SUMS8(48),
          SUMS8(56),
          SUMS8(64),
          SUMS8(72),
          SUMS8(80),
          SUMS8(88),
          SUMS8(96),
          SUMS8(104),
          SUMS8(112),
          SUMS8(120)
        : "l"(a), "l"(b), "r"(add));
}
/* clang-format on */

/* Waits for all products but the last PENDING groups of them. */
template <int PENDING> static __device__ __forceinline__ void products_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}
/* Nothing reads the sums before this. */
static __device__ __forceinline__ void products_done(float (&s)[SUMS]) {
    products_wait<0>();
#    pragma unroll
    for (int i = 0; i < SUMS; i++)
        asm volatile("" : "+f"(s[i])::"memory");
}

/* ---- the order of tiles ---- */

typedef struct Tiles {
    int across, down; /* of clusters' tiles */
} Tiles;

static __device__ __forceinline__ Tiles tiles_of(const Product &m) {
    const Tiles tiles = {(m.to.columns + COLUMNS - 1) / COLUMNS, (m.to.rows + CLUSTER * ROWS - 1) / (CLUSTER * ROWS)};
    return tiles;
}
static __device__ __forceinline__ void place_of(const Tiles &tiles, int tile, int *top, int *left) {
    const int band = tile / (BAND * tiles.across), within = tile % (BAND * tiles.across);
    const int height = min(BAND, tiles.down - band * BAND);
    *top = ((band * BAND + within % height) * CLUSTER + block_in_cluster()) * ROWS;
    *left = within / height * COLUMNS;
}

/* Where a thread is in the ring of steps. */
typedef struct Ring {
    int step, phase;
} Ring;

static __device__ __forceinline__ void ring_next(Ring *ring) {
    if (++ring->step == STEPS) {
        ring->step = 0;
        ring->phase ^= 1;
    }
}

/* One thread brings all steps of all tiles. */
static __device__ __forceinline__ void produce(const CUtensorMap &a, const CUtensorMap &b, const Product &m,
                                               uint32_t shared, uint32_t full, uint32_t empty) {
    const Tiles tiles = tiles_of(m);
    const int rank = block_in_cluster();
    Ring ring = {0, 0};
    for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
        int top, left;
        place_of(tiles, tile, &top, &left);
        for (int k = 0; k < m.to.terms; k += TERMS, ring_next(&ring)) {
            const uint32_t to = shared + ring.step * STEP_BYTES, arrived = full + ring.step * 8;
            barrier_wait(empty + ring.step * 8, ring.phase ^ 1);
            barrier_expect(arrived, STEP_BYTES);
            copy_box(to, a, k, top, arrived);
#    pragma unroll
            for (int i = 0; i < COLUMNS / BOX / CLUSTER; i++) {
                const int box = rank * (COLUMNS / BOX / CLUSTER) + i;
                copy_box_to_all(to + A_BYTES + box * BOX_BYTES, b, left + box * BOX, k, arrived);
            }
        }
    }
}

/* The sums of a thread: pairs side by side, in a row and the eighth below it, every eight columns. */
static __device__ __forceinline__ void store_sums(const Product &m, const float (&sums)[SUMS], int top, int left) {
    const int lane = threadIdx.x % 32, y = top + threadIdx.x % GROUP / 32 * 16 + lane / 4, x = left + lane % 4 * 2;
#    pragma unroll
    for (int half = 0; half < 2; half++)
#    pragma unroll
        for (int i = 0; i < COLUMNS / 8; i++)
            put_two(m.to, y + 8 * half, x + 8 * i, sums[4 * i + 2 * half], sums[4 * i + 2 * half + 1], m.wide);
}

/* A group multiplies its 64 rows of each tile. A step is given back once the next one's products are under way. */
static __device__ __forceinline__ void consume(const Product &m, int group, uint32_t shared, uint32_t full,
                                               uint32_t empty) {
    const Tiles tiles = tiles_of(m);
    const bool tells = threadIdx.x % GROUP < CLUSTER; /* each thread tells one block */
    Ring ring = {0, 0};
    float sums[SUMS];
    for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
        int top, left, before = -1;
        place_of(tiles, tile, &top, &left);
        for (int k = 0; k < m.to.terms; k += TERMS, ring_next(&ring)) {
            const uint32_t a = shared + ring.step * STEP_BYTES + group * (64 * TERMS * 2);
            const uint32_t b = shared + ring.step * STEP_BYTES + A_BYTES;
            barrier_wait(full + ring.step * 8, ring.phase);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#    pragma unroll
            for (int i = 0; i < TERMS / 16; i++)
                multiply_tiles(sums, tile_at(a + i * 32, 16), tile_at(b + i * 16 * 128, BOX_BYTES), k > 0 || i > 0);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            products_wait<1>();
            if (before >= 0 && tells)
                barrier_arrive(empty + before * 8, threadIdx.x % GROUP);
            before = ring.step;
        }
        products_done(sums);
        if (tells)
            barrier_arrive(empty + before * 8, threadIdx.x % GROUP);
        store_sums(m, sums, top + group * 64, left);
    }
}
#endif

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_wgmma(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   const __grid_constant__ Product m) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ unsigned char memory[];
    const uint32_t shared = ((uint32_t)__cvta_generic_to_shared(memory) + ALIGNMENT - 1) & ~(ALIGNMENT - 1U);
    const uint32_t full = shared + STEPS * STEP_BYTES, empty = full + STEPS * 8;
    const int group = threadIdx.x / GROUP;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STEPS; i++) {
            barrier_init(full + i * 8, 1);
            barrier_init(empty + i * 8, CONSUMERS * CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_wait();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce(a, b, m, shared, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(m, group - 1, shared, full, empty);
    }
    __syncwarp();
    cluster_wait(); /* nobody leaves while another one writes to its shared memory */
#endif
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    *why_not = "it multiplies values of bf16";
    if (multiply_job(stage)->precision != PRECISION_BF16)
        return false;
    *why_not = "this way of the tensor cores is of compute capability 9.0 alone";
    if (gpu->limits.major != 9 || gpu->limits.minor != 0)
        return false;
    *why_not = "the driver makes no tensor maps";
    return tensor_maps_are_there();
}

static Status run(Queue *queue, const Stage *stage) {
    Product m = {matrices_of(stage), is_paired(stage->out)};
    Rounded rounded;
    CUtensorMap a, b;
    TRY(round_matrices(queue, stage, &rounded));
    TRY(tensor_map_bf16(rounded.a, (size_t)m.to.terms, (size_t)m.to.rows, rounded.a_pitch, TERMS, ROWS, &a));
    TRY(tensor_map_bf16(rounded.b, (size_t)m.to.columns, (size_t)m.to.terms, rounded.b_pitch, BOX, TERMS, &b));
    const size_t tiles = (size_t)blocks_for(m.to.columns, COLUMNS) * blocks_for(m.to.rows, CLUSTER * ROWS) * CLUSTER;
    const size_t fit = (size_t)gpu_of(queue->device)->limits.multiProcessorCount / CLUSTER * CLUSTER;
    const Launch launch = {dim3((unsigned)(tiles < fit ? tiles : fit)), dim3(THREADS), SHARED};
    void *arguments[] = {&a, &b, &m};
    return gpu_launch(queue, "multiply wgmma", (const void *)multiply_wgmma, launch, arguments);
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
