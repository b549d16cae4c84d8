/* tiles.cu: any rank in squares of 5 x 5 to 17 x 17, by networks that a tile of results shares (L. Sugy, A fast
 * parallel median filtering algorithm using hierarchical tiling, SIGGRAPH 2025).
 * The windows of 4 x 4 results have a core in common, which is sorted once. Half of these results have two more columns
 * in common, a quarter two more rows, a pair another column. Each of these is sorted too, and merged into a copy of all
 * that is common so far. A value with too many others on one side of it cannot have the rank, and is left out. A block
 * sorts the columns and rows of its tile once, in shared memory, since several cores share them. From the halves down,
 * a thread keeps its part of the windows in registers.
 * The merges are those of medians. For another rank, the core begins with smallest keys or ends with greatest ones, as
 * many as make that rank the middle. */
#include "gpu/order.cuh"
#include "gpu/rank/network.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/rank/measured.h"
}

enum {
    WIDTH = 32, /* words of a block's results: of two columns each, WIDTH apart, or of one */
    HEIGHT = 32,
    ACROSS = WIDTH / 4, /* groups of 4 x 4 results */
    DOWN = HEIGHT / 4,
    GROUPS = ACROSS * DOWN,
    THREADS = 2 * GROUPS /* one for each half of a group */
};

/* The place of things in shared memory, in words, for windows of K x K. Columns, and rows, with the same remainder by 4
 * lie together, since neighbouring threads are 4 apart. */
template <int K> struct Places {
    enum {
        LENGTH = K - 3, /* of a column in all windows of a group; of a row too */
        COLUMNS = WIDTH + K - 1,
        ROWS = HEIGHT + K - 1,
        EVERY_X = (COLUMNS + 3) / 4, /* columns of a remainder */
        EVERY_Y = (ROWS + 3) / 4,
        PITCH = 4 * EVERY_X + (4 * EVERY_X % 8 == 0 ? 2 : 6), /* of rows of values; four of them are 8 banks apart */
        COLUMN_STEP = DOWN * 4 * EVERY_X,                     /* from a value of a sorted column to the next */
        ROW_STEP = ACROSS * 4 * EVERY_Y,
        QUADS = LENGTH / 4, /* of columns in a core */
        QUADS_ACROSS = ACROSS + QUADS - 1,
        QUAD_STEP = DOWN * QUADS_ACROSS,
        REST = K * K - LENGTH * LENGTH,
        CORE = REST + 1, /* values that are left of it */
        VALUES = 0,
        SORTED_COLUMNS = VALUES + ROWS * PITCH,
        SORTED_ROWS = SORTED_COLUMNS + LENGTH * COLUMN_STEP,
        CORES = SORTED_ROWS + LENGTH * ROW_STEP,
        CORES_WORDS = CORE * GROUPS,
        QUADS_WORDS = 4 * LENGTH * QUAD_STEP,
        RESULTS = CORES + (CORES_WORDS > QUADS_WORDS ? CORES_WORDS : QUADS_WORDS),
        ALL = RESULTS + WIDTH * HEIGHT
    };
    static __device__ __forceinline__ int column(int x) { return (x & 3) * EVERY_X + (x >> 2); }
    static __device__ __forceinline__ int row(int y) { return (y & 3) * EVERY_Y + (y >> 2); }
};

/* As many bytes as a word has columns. */
template <typename W> struct Pixels { char bytes[2]; };
template <> struct Pixels<One> { char bytes[1]; };

/* A value's key; `i` is its number in row `sy`, either of them -1 beyond a constant border. `size`: its bytes. */
static __device__ __forceinline__ uint32_t value_at(const Plane &in, const Edges &edges, int size, int sy, int i) {
    if (sy < 0 || i < 0)
        return (uint32_t)edges.outside;
    return size == 1 ? row_of<uint8_t>(in, sy)[i] : row_of<uint16_t>(in, sy)[i];
}
static __device__ __forceinline__ Two word_at(const Plane &in, const Edges &edges, int size, int sy,
                                              const int (&columns)[2], Two) {
    return {value_at(in, edges, size, sy, columns[0]) | value_at(in, edges, size, sy, columns[1]) << 16};
}
static __device__ __forceinline__ One word_at(const Plane &in, const Edges &edges, int, int sy, const int (&columns)[1],
                                              One) {
    return {sy < 0 || columns[0] < 0 ? edges.outside : key_of(row_of<float>(in, sy)[columns[0]])};
}

/* `N` words, `step` apart. */
template <int N, typename W> static __device__ __forceinline__ void load(const W *from, int step, W *to) {
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i] = from[i * step];
}
template <int N, typename W> static __device__ __forceinline__ void save(const W *from, W *to, int step) {
#pragma unroll
    for (int i = 0; i < N; i++)
        to[i * step] = from[i];
}

/* Two columns of sorted values in one, and one column from words. */
template <int K, typename W> static __device__ __forceinline__ void load_pair(const W *columns, int x, W *to) {
    typedef Places<K> P;
    enum { L = P::LENGTH };
    W first[L], second[L];
    load<L>(columns + P::column(x), P::COLUMN_STEP, first);
    load<L>(columns + P::column(x + 1), P::COLUMN_STEP, second);
    merge<L, L>(first, 1, second, 1, to);
}

/* The values in parts FROM to FROM + COUNT - 1 of a core: quads of columns, and a pair of them if two remain. */
template <int K> static __host__ __device__ constexpr int values_of(int from, int count) {
    return count == 0 ? 0 : (from < Places<K>::QUADS ? 4 : 2) * Places<K>::LENGTH + values_of<K>(from + 1, count - 1);
}

/* Merges these parts of the core of a group at `x`; keeps KEEP values from number LOW on. */
template <int K, int FROM, int COUNT, int LOW, int KEEP, typename W>
static __device__ __forceinline__ void merge_parts(const W *quads, const W *columns, int x, W *to) {
    typedef Places<K> P;
    if constexpr (COUNT == 1 && FROM < P::QUADS)
        load<4 * P::LENGTH>(quads + FROM, P::QUAD_STEP, to);
    else if constexpr (COUNT == 1)
        load_pair<K>(columns, 4 * x + 3 + 4 * FROM, to);
    else {
        enum { HALF = COUNT / 2, N = values_of<K>(FROM, HALF), M = values_of<K>(FROM + HALF, COUNT - HALF) };
        W first[N], second[M];
        merge_parts<K, FROM, HALF, 0, N>(quads, columns, x, first);
        merge_parts<K, FROM + HALF, COUNT - HALF, 0, M>(quads, columns, x, second);
        select<N, M, LOW, KEEP>(first, second, to);
    }
}

/* Saves the values of a core that may have the rank in a window. Where the core ends, the smallest and the greatest
 * of all keys stand instead. */
template <int K, typename W> static __device__ __forceinline__ void save_core(const W *core, int rank, W *to) {
    typedef Places<K> P;
    enum { ALL = P::LENGTH * P::LENGTH };
    const int low = rank - P::REST;
    for (int i = 0; i < -low; i++)
        to[i * GROUPS] = least(W{});
    for (int i = ALL - low; i < (int)P::CORE; i++)
        to[i * GROUPS] = greatest(W{});
#pragma unroll
    for (int i = 0; i < ALL; i++)
        if (i >= low && i <= rank)
            to[(i - low) * GROUPS] = core[i];
}

/* A sorted column, or row, with two more values. */
template <int L, typename W>
static __device__ __forceinline__ void lengthen(const W *sorted, int step, W a, W b, W *to) {
    W before[L], two[2];
    load<L>(sorted, step, before);
    merge<1, 1>(&a, 1, &b, 1, two);
    merge<L, 2>(before, 1, two, 1, to);
}

/* The medians of half a group: 2 x 4 results, whose core and its columns are sorted. */
template <int K, typename W> static __device__ __forceinline__ void make_results(W *memory, int group, int half) {
    typedef Places<K> P;
    enum {
        L = P::LENGTH,
        SIDE = K - 1,                 /* values of a column or row in two windows */
        REST_2 = K * K - (K - 1) * L, /* values that are in a result's window, but not in those of the half */
        REST_1 = K * K - SIDE * SIDE, /* nor in those of a quarter */
        HALF_ALL = P::CORE + 2 * L,
        HALF = HALF_ALL < REST_2 + 1 ? HALF_ALL : REST_2 + 1,
        QUARTER_ALL = HALF + 2 * SIDE,
        QUARTER = QUARTER_ALL < REST_1 + 1 ? QUARTER_ALL : REST_1 + 1,
        PAIR = K + 1
    };
    const int x = 4 * (group % ACROSS) + 2 * half, y = 4 * (group / ACROSS); /* of the first result */
    const W *values = memory + P::VALUES, *columns = memory + P::SORTED_COLUMNS + y * P::EVERY_X;
    const W *rows = memory + P::SORTED_ROWS + group % ACROSS;
    const int added_x = half ? x + K - 2 : x + 1; /* the two columns of the half that the core lacks */
    W common[HALF];
    {
        W core[P::CORE], two[2 * L];
        load<P::CORE>(memory + P::CORES + group, GROUPS, core);
        load_pair<K>(columns, added_x, two);
        select<P::CORE, 2 * L, (HALF_ALL - HALF) / 2, HALF>(core, two, common);
    }
    const auto row_at = [&](int at, W *to) {
        const W *row = values + at * P::PITCH;
        lengthen<L>(rows + P::row(at) * ACROSS, P::ROW_STEP, row[P::column(added_x)], row[P::column(added_x + 1)], to);
    };
#pragma unroll 1
    for (int j = 0; j < 2; j++) { /* 2 x 2 results */
        const int top = y + 2 * j, added_y = j ? top + K - 2 : top + 1;
        W quarter[QUARTER], upper[SIDE], lower[SIDE];
        row_at(added_y, upper);
        row_at(added_y + 1, lower);
        {
            W two[2 * SIDE];
            merge<SIDE, SIDE>(upper, 1, lower, 1, two);
            select<HALF, 2 * SIDE, (QUARTER_ALL - QUARTER) / 2, QUARTER>(common, two, quarter);
        }
        row_at(top, upper);
        row_at(top + K, lower);
#pragma unroll 1
        for (int i = 0; i < 2; i++) { /* one above the other */
            const int added = P::column(i ? x + K : x);
            W column[SIDE], pair[PAIR], two[2];
            lengthen<L>(columns + added, P::COLUMN_STEP, values[added_y * P::PITCH + added],
                        values[(added_y + 1) * P::PITCH + added], column);
            select<QUARTER, SIDE, (QUARTER + SIDE - PAIR) / 2, PAIR>(quarter, column, pair);
            W *to = memory + P::RESULTS + top * WIDTH + x + i;
            select<PAIR, SIDE, (PAIR + SIDE - 2) / 2, 2>(pair, upper, two);
            to[0] = greater(two[0], lesser(two[1], values[top * P::PITCH + added]));
            select<PAIR, SIDE, (PAIR + SIDE - 2) / 2, 2>(pair, lower, two);
            to[WIDTH] = greater(two[0], lesser(two[1], values[(top + K) * P::PITCH + added]));
        }
    }
}

/* Reads the block's tile, which begins at `left` and `top`; a thread keeps to a column. */
template <int K, typename W>
static __device__ __forceinline__ void load_tile(const Plane &in, const Edges &edges, int channels, int size, int left,
                                                 int top, W *values) {
    typedef Places<K> P;
    enum { AT_ONCE = THREADS / P::COLUMNS, PARTS = sizeof(Pixels<W>) };
    __shared__ int rows[P::ROWS];
    for (int i = threadIdx.x; i < P::ROWS; i += THREADS)
        rows[i] = edge_index(edges, top + i, in.height);
    const int x = threadIdx.x % P::COLUMNS;
    int columns[PARTS];
#pragma unroll
    for (int h = 0; h < PARTS; h++) {
        const int sx = edge_index(edges, left + x + h * WIDTH, in.width);
        columns[h] = sx < 0 ? -1 : sx * channels + (int)blockIdx.z;
    }
    __syncthreads();
    if (threadIdx.x < AT_ONCE * P::COLUMNS)
#pragma unroll
        for (int i = 0; i < P::ROWS; i += AT_ONCE) { /* all reads at once */
            const int y = i + (int)threadIdx.x / P::COLUMNS;
            if (y < P::ROWS)
                values[y * P::PITCH + P::column(x)] = word_at(in, edges, size, rows[y], columns, W{});
        }
}

static __device__ __forceinline__ void store_word(const Plane &out, int channels, int size, int x, int y, Two word) {
    if (y >= out.height)
        return;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int at = x + h * WIDTH, i = at * channels + (int)blockIdx.z;
        const uint32_t value = word.bits >> 16 * h & 0xFFFF;
        if (at < out.width && size == 1)
            row_to<uint8_t>(out, y)[i] = (uint8_t)value;
        else if (at < out.width)
            row_to<uint16_t>(out, y)[i] = (uint16_t)value;
    }
}
static __device__ __forceinline__ void store_word(const Plane &out, int channels, int, int x, int y, One word) {
    if (x < out.width && y < out.height)
        row_to<float>(out, y)[x * channels + (int)blockIdx.z] = of_key<float>(word.key);
}

/* `size`: bytes of a value. */
template <int K, typename W, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    rank_tiles(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Edges edges,
               int channels, int size, int rank) {
    typedef Places<K> P;
    enum { L = P::LENGTH };
    extern __shared__ uint32_t shared[];
    W *memory = (W *)shared;
    const int left = blockIdx.x * WIDTH * (int)sizeof(Pixels<W>), top = blockIdx.y * HEIGHT;
    load_tile<K>(in, edges, channels, size, left - K / 2, top - K / 2, memory + P::VALUES);
    __syncthreads();
    for (int i = threadIdx.x; i < DOWN * P::COLUMNS + ACROSS * P::ROWS; i += THREADS) { /* sorts columns, then rows */
        const int row = i - DOWN * P::COLUMNS;
        const int x = row < 0 ? i % P::COLUMNS : row % ACROSS * 4 + 3,
                  y = row < 0 ? i / P::COLUMNS * 4 + 3 : row / ACROSS;
        W values[L], sorted[L];
#pragma unroll
        for (int k = 0; k < L; k++)
            values[k] =
                memory[P::VALUES + (row < 0 ? (y + k) * P::PITCH + P::column(x) : y * P::PITCH + P::column(x + k))];
        sort<L>(values, 1, sorted);
        if (row < 0)
            save<L>(sorted, memory + P::SORTED_COLUMNS + i / P::COLUMNS * 4 * P::EVERY_X + P::column(x),
                    P::COLUMN_STEP);
        else
            save<L>(sorted, memory + P::SORTED_ROWS + P::row(y) * ACROSS + row % ACROSS, P::ROW_STEP);
    }
    __syncthreads();
    if constexpr (P::QUADS > 0) {
        for (int i = threadIdx.x; i < (int)P::QUAD_STEP; i += THREADS) {
            const W *columns = memory + P::SORTED_COLUMNS + i / P::QUADS_ACROSS * 4 * P::EVERY_X;
            const int x = i % P::QUADS_ACROSS * 4 + 3;
            W first[2 * L], second[2 * L], quad[4 * L];
            load_pair<K>(columns, x, first);
            load_pair<K>(columns, x + 2, second);
            merge<2 * L, 2 * L>(first, 1, second, 1, quad);
            save<4 * L>(quad, memory + P::CORES + i, P::QUAD_STEP);
        }
        __syncthreads();
    }
    W core[L * L];
    const int group = threadIdx.x % GROUPS;
    const bool first = threadIdx.x < GROUPS;
    if (first)
        merge_parts<K, 0, P::QUADS + L % 4 / 2, 0, L * L>(
            memory + P::CORES + group / ACROSS * P::QUADS_ACROSS + group % ACROSS,
            memory + P::SORTED_COLUMNS + group / ACROSS * 4 * P::EVERY_X, group % ACROSS, core);
    __syncthreads(); /* cores lie where quads did */
    if (first)
        save_core<K>(core, rank, memory + P::CORES + group);
    __syncthreads();
    make_results<K>(memory, group, threadIdx.x / GROUPS);
    __syncthreads();
    for (int i = threadIdx.x; i < WIDTH * HEIGHT; i += THREADS)
        store_word(out, channels, size, left + i % WIDTH, top + i / WIDTH, memory[P::RESULTS + i]);
}

enum { SIDE_MIN = 5, SIDE_MAX = 17, SIDES = (SIDE_MAX - SIDE_MIN) / 2 + 1 };

/* A kernel, and the bytes of shared memory that it takes. */
typedef struct Kernel {
    const void *kernel;
    size_t bytes;
} Kernel;

/* For a window of this side; BLOCKS: at once on a multiprocessor, for the compiler. */
#define KERNEL(K, W, BLOCKS)                                                                                           \
    { (const void *)rank_tiles<K, W, BLOCKS>, Places<K>::ALL * sizeof(uint32_t) }
#define KERNELS(W)                                                                                                     \
    KERNEL(5, W, 8), KERNEL(7, W, 6), KERNEL(9, W, 5), KERNEL(11, W, 4), KERNEL(13, W, 3), KERNEL(15, W, 3)

/* For f32, `sorted` is faster from 17 x 17 on. */
static const Kernel *kernel_of(const Stage *stage) {
    static const Kernel kernels[2][SIDES] = {{KERNELS(Two), KERNEL(17, Two, 2)}, {KERNELS(One)}};
    return &kernels[stage->out.shape.type == PIXEL_F32][(rank_job(stage)->window->width - SIDE_MIN) / 2];
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Mask *window = rank_job(stage)->window;
    const int side = window->width;
    *why_not = "the window is not a square of 5 x 5, 7 x 7, and so on to 17 x 17 (f32: 15 x 15)";
    if (!element_is_box(window) || window->height != side || side % 2 == 0 || side < SIDE_MIN || side > SIDE_MAX ||
        !kernel_of(stage)->kernel)
        return false;
    *why_not = "a block has too little shared memory";
    return kernel_of(stage)->bytes + 1024 <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    const RankJob *job = rank_job(stage);
    const Kernel *kernel = kernel_of(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, stage->out.shape.type);
    int channels = stage->out.shape.channels, size = (int)pixel_type_size(stage->out.shape.type), rank = job->rank;
    const int across = stage->out.shape.type == PIXEL_F32 ? WIDTH : 2 * WIDTH;
    const Launch launch = {dim3(blocks_for(out.width, across), blocks_for(out.height, HEIGHT), (unsigned)channels),
                           dim3(THREADS), kernel->bytes};
    void *arguments[] = {&in, &out, &edges, &channels, &size, &rank};
    return gpu_launch(queue, "rank tiles", kernel->kernel, launch, arguments);
}

extern "C" const Level cuda_rank_tiles = {
    .op = &op_rank,
    .name = "tiles",
    .idea = "squares to 17 x 17: the windows of 4 x 4 results share a sorted core; halves, quarters and pairs of them "
            "merge the rest of theirs into it",
    .accepts = accepts,
    .predictor = &rank_measured,
    .run = run,
};
