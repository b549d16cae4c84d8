/* hopper.cuh: products by instructions that compute capability 9.0 has. The first warp group of a block brings tiles to
 * shared memory by the copy engine, some steps ahead. Two others have the tensor cores multiply 64 rows of them each,
 * which read shared memory themselves. Two blocks, one below the other, form a cluster: each fetches a half of B's tile
 * for both. Blocks stay, and take one tile of the product after the other, so that the next one's copies begin while
 * the last one is stored. A level names a Way. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_HOPPER_CUH
#define GLINT_GPU_COURSE_MULTIPLY_HOPPER_CUH

#include "gpu/course/multiply/rounded.cuh"

extern "C" {
#include "gpu/course/multiply/tensor_map.h"
}

enum {
    ROWS = 128,
    ROW_BYTES = 128, /* of all tiles: TERMS of A; TERMS of B, or BOX columns */
    GROUP = 128,     /* threads that multiply together */
    CONSUMERS = ROWS / 64,
    THREADS = (1 + CONSUMERS) * GROUP,
    CLUSTER = 2,
    BOX = 64, /* columns of B that a copy brings */
    A_BYTES = ROWS * ROW_BYTES,
    BOX_BYTES = BOX * ROW_BYTES, /* a row a column, or one for each of as many terms */
    DEEP_BYTES = 32,             /* of a row of A, as one instruction takes them */
    ALIGNMENT = 1024,            /* the pattern in which pieces of rows are exchanged */
    BAND = 8 /* clusters of rows that are gone through column by column: they share the L2 cache's contents */
};

/* Values of T, COLUMNS of a block's tile, PLANES of which a matrix is the sum, STEPS that shared memory holds. The
 * tensor cores take rows of columns of B only if values have 16 bits, else B transposed. In device memory the planes of
 * a matrix lie one below the other. */
template <typename T, int COLUMNS_, int PLANES_, int STEPS_> struct Way : Layout<T, PLANES_, sizeof(T) == 4> {
    typedef T Value;
    enum {
        COLUMNS = COLUMNS_,
        PLANES = PLANES_,
        STEPS = STEPS_,
        TURNED = sizeof(T) == 4,
        TERMS = ROW_BYTES / sizeof(T), /* of a step */
        B_BYTES = COLUMNS / BOX * BOX_BYTES,
        B_DEEP = TURNED ? (int)DEEP_BYTES : 16 * ROW_BYTES,
        B_NEXT = TURNED ? 16 : (int)BOX_BYTES,
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

/* The descriptor of a tile whose rows of 128 bytes have their pieces exchanged (PTX ISA, matrix descriptors). Eight
 * rows take 1024 bytes. `next` is the distance from 64 columns to the next ones, where the rows run along the terms'
 * side. */
static __device__ __forceinline__ uint64_t tile_at(uint32_t shared, int next) {
    return (uint64_t)(shared >> 4 & 0x3FFF) | (uint64_t)(next >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 | 1ULL << 62;
}

#    define SUMS8(i)                                                                                                   \
        "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]), "+f"(s[i + 6]),    \
            "+f"(s[i + 7])

/* clang-format off */
#    define SUMS64(i) SUMS8(i), SUMS8(i + 8), SUMS8(i + 16), SUMS8(i + 24), SUMS8(i + 32), SUMS8(i + 40), SUMS8(i + 48), SUMS8(i + 56)
#    define NAMES64 \
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#    define NAMES128 NAMES64 ", " \
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
/* Adds the product of 64 rows of A and some columns of B, 32 bytes of terms deep, or begins with it. */
#    define MULTIPLY_TILES(type, count, instruction, names, tiles, adds, majors, ...)                                  \
    static __device__ __forceinline__ void multiply_tiles(type, float (&s)[count], uint64_t a, uint64_t b, int add) {  \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " adds ", 0;\n"                                                 \
            "wgmma.mma_async.sync.aligned." instruction " {" names "}, " tiles ", p, 1, 1" majors ";\n}"               \
            : __VA_ARGS__ : "l"(a), "l"(b), "r"(add));                                                                 \
    }
MULTIPLY_TILES(Bf16, 128, "m64n256k16.f32.bf16.bf16", NAMES128, "%128, %129", "%130", ", 0, 1", SUMS64(0), SUMS64(64))
MULTIPLY_TILES(Bf16, 64, "m64n128k16.f32.bf16.bf16", NAMES64, "%64, %65", "%66", ", 0, 1", SUMS64(0))
MULTIPLY_TILES(float, 128, "m64n256k8.f32.tf32.tf32", NAMES128, "%128, %129", "%130", "", SUMS64(0), SUMS64(64))
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
        for (int k = 0; k < m.to.terms; k += W::TERMS, ring_next<W>(&ring)) {
            const uint32_t to = room.steps + ring.step * W::STEP_BYTES, arrived = room.full + ring.step * 8;
            barrier_wait(room.empty + ring.step * 8, ring.phase ^ 1);
            barrier_expect(arrived, W::STEP_BYTES);
#    pragma unroll
            for (int plane = 0; plane < W::PLANES; plane++) {
                const uint32_t b_to = to + W::PLANES * A_BYTES + plane * W::B_BYTES;
                copy_box(to + plane * A_BYTES, a, k, plane * m.to.rows + top, arrived);
#    pragma unroll
                for (int i = 0; i < W::COLUMNS / BOX / CLUSTER; i++) {
                    const int box = rank * (W::COLUMNS / BOX / CLUSTER) + i, x = left + box * BOX;
                    copy_box_to_all(b_to + box * BOX_BYTES, b, W::TURNED ? k : x,
                                    W::TURNED ? plane * m.to.columns + x : plane * m.to.terms + k, arrived);
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

/* A step's product of a plane of A and one of B is added to sums, or begins them. */
template <class W>
static __device__ __forceinline__ void multiply_planes(float (&sums)[W::SUMS], uint32_t a, uint32_t b, bool begins) {
#    pragma unroll
    for (int i = 0; i < ROW_BYTES / DEEP_BYTES; i++)
        multiply_tiles(typename W::Value(), sums, tile_at(a + i * DEEP_BYTES, 16),
                       tile_at(b + i * W::B_DEEP, W::B_NEXT), !begins || i > 0);
}
/* All products of planes that count, the smallest first. */
template <class W>
static __device__ __forceinline__ void multiply_step(float (&sums)[W::SUMS], uint32_t step, int group, bool begins) {
    const uint32_t a = step + group * (64 * ROW_BYTES), b = step + W::PLANES * A_BYTES;
    products_begin();
#    pragma unroll
    for (int rank = W::PLANES - 1; rank >= 0; rank--)
#    pragma unroll
        for (int of_a = 0; of_a <= rank; of_a++)
            multiply_planes<W>(sums, a + of_a * A_BYTES, b + (rank - of_a) * W::B_BYTES,
                               begins && rank == W::PLANES - 1 && of_a == 0);
    products_end();
}

/* The work of a group. A step is given back once the next one's products are under way. Sums of several planes go no
 * further than one step, and are added up outside. */
template <class W> static __device__ __forceinline__ void consume(const Product &m, int group, const Room &room) {
    const Tiles tiles = tiles_of<W>(m);
    const auto give_back = [&](int step) {
        if (threadIdx.x % GROUP < CLUSTER) /* each thread tells one block */
            barrier_arrive(room.empty + step * 8, threadIdx.x % GROUP);
    };
    Ring ring = {0, 0};
    float sums[W::SUMS], totals[W::SUMS];
    for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
        int top, left, before = -1;
        place_of<W>(tiles, tile, &top, &left);
#    pragma unroll
        for (int i = 0; i < W::SUMS; i++)
            totals[i] = 0;
        for (int k = 0; k < m.to.terms; k += W::TERMS, ring_next<W>(&ring)) {
            barrier_wait(room.full + ring.step * 8, ring.phase);
            multiply_step<W>(sums, room.steps + ring.step * W::STEP_BYTES, group, W::PLANES > 1 || k == 0);
            if (W::PLANES > 1) {
                products_done(sums);
                give_back(ring.step);
#    pragma unroll
                for (int i = 0; i < W::SUMS; i++)
                    totals[i] += sums[i];
            } else {
                products_wait<1>();
                if (before >= 0)
                    give_back(before);
                before = ring.step;
            }
        }
        if (W::PLANES > 1)
            store_sums(m, totals, top + group * 64, left);
        else {
            products_done(sums);
            give_back(before);
            store_sums(m, sums, top + group * 64, left);
        }
    }
}

template <class W>
static __device__ __forceinline__ void multiply_on_hopper(const CUtensorMap &a, const CUtensorMap &b,
                                                          const Product &m) {
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
        consume<W>(m, group - 1, room);
    }
    __syncwarp();
    cluster_wait(); /* nobody leaves while another one writes to its shared memory */
}
#endif

template <class W>
__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_hopper(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                    const __grid_constant__ Product m) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    multiply_on_hopper<W>(a, b, m);
#endif
}

/* ---- on the host ---- */

/* Rows of a tensor map are counted by whole numbers. */
template <class W> static bool accepts_hopper(const Device *device, const Stage *stage, const char **why_not) {
    const GpuDevice *gpu = (const GpuDevice *)device;
    const MultiplySize size = multiply_size(stage);
    const size_t side_max = 0x7FFFFFFF / W::PLANES;
    *why_not = "this way of the tensor cores is of compute capability 9.0 alone";
    if (gpu->limits.major != 9 || gpu->limits.minor != 0)
        return false;
    *why_not = "matrices are higher than it counts";
    if (size.rows > side_max || (W::TURNED ? size.columns : size.terms) > side_max)
        return false;
    *why_not = "the driver makes no tensor maps";
    return tensor_maps_are_there();
}

template <class W> static Status run_hopper(Queue *queue, const Stage *stage, const char *where) {
    enum {
        TURNED = W::TURNED,
        BOX_WIDTH = TURNED ? (int)W::TERMS : (int)BOX,
        BOX_HEIGHT = TURNED ? (int)BOX : (int)W::TERMS
    };
    Product m = {matrices_of(stage), is_paired(stage->out)};
    Rounded planes;
    TRY(W::lay(queue, stage, &planes));
    const size_t value = sizeof(typename W::Value), rows = W::PLANES * (size_t)m.to.rows, terms = (size_t)m.to.terms;
    const size_t columns = (size_t)m.to.columns, b_width = TURNED ? terms : columns,
                 b_height = TURNED ? columns : terms;
    CUtensorMap a, b;
    TRY(tensor_map(planes.a, value, terms, rows, planes.a_pitch, W::TERMS, ROWS, &a));
    TRY(tensor_map(planes.b, value, b_width, W::PLANES * b_height, planes.b_pitch, BOX_WIDTH, BOX_HEIGHT, &b));
    const size_t tiles = (size_t)blocks_for(m.to.columns, W::COLUMNS) * blocks_for(m.to.rows, CLUSTER * ROWS) * CLUSTER;
    const size_t fit = (size_t)gpu_of(queue->device)->limits.multiProcessorCount / CLUSTER * CLUSTER;
    const Launch launch = {dim3((unsigned)(tiles < fit ? tiles : fit)), dim3(THREADS), W::SHARED};
    void *arguments[] = {&a, &b, &m};
    return gpu_launch(queue, where, (const void *)multiply_hopper<W>, launch, arguments);
}

#endif
