/* hopper.cuh: products by what compute capability 9.0 has. The first warp group of a block brings tiles to shared
 * memory by the copy engine, some steps ahead; two others have the tensor cores multiply 64 rows of them each, which
 * read shared memory themselves. Two blocks, one below the other, form a cluster: each fetches a half of B's tile for
 * both. Blocks stay, and take one tile of the product after the other, so that the next one's copies begin while the
 * last one is stored. A level brings a Way: COLUMNS of a block's tile, PLANES of which a matrix is the sum, STEPS that
 * shared memory holds, and consume(), which is what a group does. */
#ifndef GLINT_GPU_MULTIPLY_HOPPER_CUH
#define GLINT_GPU_MULTIPLY_HOPPER_CUH

#include "gpu/multiply/matrix.cuh"

extern "C" {
#include "gpu/multiply/tensor_map.h"
}

enum {
    ROWS = 128,
    TERMS = 64,  /* of a step: 128 bytes of A's rows */
    GROUP = 128, /* threads that multiply together */
    CONSUMERS = ROWS / 64,
    THREADS = (1 + CONSUMERS) * GROUP,
    CLUSTER = 2,
    BOX = 64, /* columns of B that a copy brings: 128 bytes */
    A_BYTES = ROWS * TERMS * 2,
    BOX_BYTES = BOX * TERMS * 2,
    ALIGNMENT = 1024, /* the pattern in which pieces of rows are exchanged */
    BAND = 8          /* clusters of rows that are gone through column by column: they share what the L2 cache holds */
};

/* Of a level. In device memory the planes of a matrix lie one below the other. */
template <int COLUMNS_, int PLANES_, int STEPS_> struct Way {
    enum {
        COLUMNS = COLUMNS_,
        PLANES = PLANES_,
        STEPS = STEPS_,
        B_BYTES = COLUMNS / BOX * BOX_BYTES,
        STEP_BYTES = PLANES * (A_BYTES + B_BYTES), /* A's planes, then B's */
        SHARED = STEPS * STEP_BYTES + ALIGNMENT + 2 * STEPS * 8,
        SUMS = COLUMNS / 2 /* of a thread */
    };
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
static __device__ __forceinline__ void multiply_tiles(float (&s)[128], uint64_t a, uint64_t b, int add) {
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
        : SUMS8(0), SUMS8(8), SUMS8(16), SUMS8(24), SUMS8(32), SUMS8(40), SUMS8(48), SUMS8(56), SUMS8(64), SUMS8(72), SUMS8(80), SUMS8(88), SUMS8(96), SUMS8(104), SUMS8(112), SUMS8(120)
        : "l"(a), "l"(b), "r"(add));
}
/* Adds the product of 64 x 16 values of A and 16 x 128 of B, or begins with it. */
static __device__ __forceinline__ void multiply_tiles(float (&s)[64], uint64_t a, uint64_t b, int add) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, "
        "%8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, "
        "%24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, "
        "%40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, "
        "%56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, p, 1, 1, 0, 1;\n}"
        : SUMS8(0), SUMS8(8), SUMS8(16), SUMS8(24), SUMS8(32), SUMS8(40), SUMS8(48), SUMS8(56)
        : "l"(a), "l"(b), "r"(add));
}
/* clang-format on */

/* Around the products that form a group. */
static __device__ __forceinline__ void products_begin() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ __forceinline__ void products_end() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/* Waits for all products but the last PENDING groups of them. */
template <int PENDING> static __device__ __forceinline__ void products_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}
/* Nothing reads the sums before this. */
template <int SUMS> static __device__ __forceinline__ void products_done(float (&s)[SUMS]) {
    products_wait<0>();
#    pragma unroll
    for (int i = 0; i < SUMS; i++)
        asm volatile("" : "+f"(s[i])::"memory");
}

/* ---- the order of tiles ---- */

typedef struct Tiles {
    int across, down; /* of clusters' tiles */
} Tiles;

template <class W> static __device__ __forceinline__ Tiles tiles_of(const Product &m) {
    const Tiles tiles = {(m.to.columns + W::COLUMNS - 1) / W::COLUMNS,
                         (m.to.rows + CLUSTER * ROWS - 1) / (CLUSTER * ROWS)};
    return tiles;
}
template <class W> static __device__ __forceinline__ void place_of(const Tiles &tiles, int tile, int *top, int *left) {
    const int band = tile / (BAND * tiles.across), within = tile % (BAND * tiles.across);
    const int height = min(BAND, tiles.down - band * BAND);
    *top = ((band * BAND + within % height) * CLUSTER + block_in_cluster()) * ROWS;
    *left = within / height * W::COLUMNS;
}

/* Where a thread is in the ring of steps. */
typedef struct Ring {
    int step, phase;
} Ring;

template <class W> static __device__ __forceinline__ void ring_next(Ring *ring) {
    if (++ring->step == W::STEPS) {
        ring->step = 0;
        ring->phase ^= 1;
    }
}

/* A block's shared memory: its steps, and for each a barrier that says it is full, and one that says it is empty. */
typedef struct Room {
    uint32_t steps, full, empty;
} Room;

/* One thread brings all steps of all tiles. */
template <class W>
static __device__ __forceinline__ void produce(const CUtensorMap &a, const CUtensorMap &b, const Product &m,
                                               const Room &room) {
    const Tiles tiles = tiles_of<W>(m);
    const int rank = block_in_cluster();
    Ring ring = {0, 0};
    for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
        int top, left;
        place_of<W>(tiles, tile, &top, &left);
        for (int k = 0; k < m.to.terms; k += TERMS, ring_next<W>(&ring)) {
            const uint32_t to = room.steps + ring.step * W::STEP_BYTES, arrived = room.full + ring.step * 8;
            barrier_wait(room.empty + ring.step * 8, ring.phase ^ 1);
            barrier_expect(arrived, W::STEP_BYTES);
#    pragma unroll
            for (int plane = 0; plane < W::PLANES; plane++) {
                const uint32_t b_to = to + W::PLANES * A_BYTES + plane * W::B_BYTES;
                copy_box(to + plane * A_BYTES, a, k, plane * m.to.rows + top, arrived);
#    pragma unroll
                for (int i = 0; i < W::COLUMNS / BOX / CLUSTER; i++) {
                    const int box = rank * (W::COLUMNS / BOX / CLUSTER) + i;
                    copy_box_to_all(b_to + box * BOX_BYTES, b, left + box * BOX, plane * m.to.terms + k, arrived);
                }
            }
        }
    }
}

/* The sums of a thread: pairs side by side, in a row and the eighth below it, every eight columns. */
template <int SUMS>
static __device__ __forceinline__ void store_sums(const Product &m, const float (&sums)[SUMS], int top, int left) {
    const int lane = threadIdx.x % 32, y = top + threadIdx.x % GROUP / 32 * 16 + lane / 4, x = left + lane % 4 * 2;
#    pragma unroll
    for (int half = 0; half < 2; half++)
#    pragma unroll
        for (int i = 0; i < SUMS / 4; i++)
            put_two(m.to, y + 8 * half, x + 8 * i, sums[4 * i + 2 * half], sums[4 * i + 2 * half + 1], m.wide);
}

template <class W>
static __device__ __forceinline__ void multiply_hopper(const CUtensorMap &a, const CUtensorMap &b, const Product &m) {
    extern __shared__ unsigned char memory[];
    const uint32_t steps = ((uint32_t)__cvta_generic_to_shared(memory) + ALIGNMENT - 1) & ~(ALIGNMENT - 1U);
    const Room room = {steps, steps + W::STEPS * W::STEP_BYTES, steps + W::STEPS * (W::STEP_BYTES + 8)};
    const int group = threadIdx.x / GROUP;
    if (threadIdx.x == 0) {
        for (int i = 0; i < W::STEPS; i++) {
            barrier_init(room.full + i * 8, 1);
            barrier_init(room.empty + i * 8, CONSUMERS * CLUSTER);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_wait();
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            produce<W>(a, b, m, room);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        W::consume(m, group - 1, room);
    }
    __syncwarp();
    cluster_wait(); /* nobody leaves while another one writes to its shared memory */
}
#endif

/* ---- on the host ---- */

static inline bool accepts_hopper(const Device *device, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    *why_not = "this way of the tensor cores is of compute capability 9.0 alone";
    if (gpu->limits.major != 9 || gpu->limits.minor != 0)
        return false;
    *why_not = "the driver makes no tensor maps";
    return tensor_maps_are_there();
}

/* Of matrices of bf16 whose rows lie so many values apart. */
template <class W>
static Status run_hopper(Queue *queue, const Stage *stage, const char *where, const void *kernel, void *a_values,
                         size_t a_pitch, void *b_values, size_t b_pitch) {
    Product m = {matrices_of(stage), is_paired(stage->out)};
    const size_t rows = (size_t)m.to.rows, columns = (size_t)m.to.columns, terms = (size_t)m.to.terms;
    CUtensorMap a, b;
    TRY(tensor_map_bf16(a_values, terms, W::PLANES * rows, a_pitch, TERMS, ROWS, &a));
    TRY(tensor_map_bf16(b_values, columns, W::PLANES * terms, b_pitch, BOX, TERMS, &b));
    const size_t tiles = (size_t)blocks_for(m.to.columns, W::COLUMNS) * blocks_for(m.to.rows, CLUSTER * ROWS) * CLUSTER;
    const size_t fit = (size_t)gpu_of(queue->device)->limits.multiProcessorCount / CLUSTER * CLUSTER;
    const Launch launch = {dim3((unsigned)(tiles < fit ? tiles : fit)), dim3(THREADS), W::SHARED};
    void *arguments[] = {&a, &b, &m};
    return gpu_launch(queue, where, kernel, launch, arguments);
}

#endif
