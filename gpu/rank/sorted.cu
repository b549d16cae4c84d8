/* sorted.cu: any rank in boxes of up to 97 x 97 values, whatever their type, by the order of a whole tile.
 * A block sorts its tile of 64 x 64 to 128 x 128 values, so that each has a place in the order. A thread moves windows
 * down a column of results. It keeps a place in the order, and how many of the window's values come before it (T.
 * Huang, G. Yang, G. Tang, A fast two-dimensional median filtering algorithm, IEEE Trans. ASSP 27(1), 1979, whose
 * places are grey levels). A row enters and a row leaves. The thread then steps from place to place, up or down, until
 * as many of the window's values come before as the rank says. Equal values follow one another down the columns, so
 * that windows that move down a plain area change little. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/rank/measured.h"
}

enum {
    EACH = 16, /* values of a thread while the tile is sorted */
    BITS = 4,  /* of the keys, which a pass sorts by */
    DIGITS = 1 << BITS,
    AXIS = 0x7F,     /* bits of x, or of y, in a position */
    GUARDS = 0x8080, /* bits above x and y in a position */
    RUN = 8,         /* places that a step passes */
    FAR = 16,        /* a share of the window that would take long to pass */
    RESULTS_MIN = 32 /* in a row of a tile */
};

typedef struct Job {
    int width, height, rank; /* of the window */
    int channels, size;      /* bytes of a value */
    int rows;                /* results of a thread */
} Job;

template <int SIDE> struct Tile {
    enum { ALL = SIDE * SIDE, THREADS = ALL / EACH, MARKS = SIDE / 16 };
    uint32_t keys[ALL];      /* row by row */
    uint16_t orders[2][ALL]; /* positions y << 8 | x in the order so far, and those of the next pass */
    union {
        uint16_t counts[DIGITS][THREADS]; /* values of each digit that each thread has; then where the first one goes */
        uint8_t sums[SIDE][SIDE + 4];     /* values before a mark, in a row up to a column */
    };
    int totals[THREADS / 32];
    static __device__ __forceinline__ int index_of(int position) {
        return (position >> 8 & AXIS) * SIDE + (position & AXIS);
    }
};

/* Makes of the threads' counts the sums of all before them, digit by digit. */
template <int SIDE> static __device__ __forceinline__ void sum_counts(Tile<SIDE> *shared) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    union {
        uint4 quads[EACH / 8];
        uint16_t values[EACH];
    } own;
    uint4 *at = (uint4 *)&shared->counts[0][0] + EACH / 8 * threadIdx.x;
    int sum = 0, before = 0;
#pragma unroll
    for (int i = 0; i < EACH / 8; i++)
        own.quads[i] = at[i];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        sum += own.values[i];
    int upto = sum;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(~0U, upto, step);
        upto += lane >= step ? left : 0;
    }
    if (lane == 31)
        shared->totals[warp] = upto;
    __syncthreads();
    for (int other = 0; other < warp; other++)
        before += shared->totals[other];
    before += upto - sum;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int count = own.values[i];
        own.values[i] = (uint16_t)before;
        before += count;
    }
#pragma unroll
    for (int i = 0; i < EACH / 8; i++)
        at[i] = own.quads[i];
    __syncthreads();
}

/* Sorts positions by four bits of their keys, and keeps the order of those with equal bits. */
template <int SIDE>
static __device__ __forceinline__ void sort_by(Tile<SIDE> *shared, const uint16_t *from, uint16_t *to, int shift) {
    union {
        uint4 quads[EACH / 8];
        uint16_t positions[EACH];
    } own;
    int digits[EACH], places[EACH];
#pragma unroll
    for (int i = 0; i < EACH / 8; i++)
        own.quads[i] = ((const uint4 *)from)[EACH / 8 * threadIdx.x + i];
#pragma unroll
    for (int d = 0; d < DIGITS; d++)
        shared->counts[d][threadIdx.x] = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        digits[i] = (int)(shared->keys[Tile<SIDE>::index_of(own.positions[i])] >> shift) & (DIGITS - 1);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        places[i] = shared->counts[digits[i]][threadIdx.x];
        shared->counts[digits[i]][threadIdx.x] = (uint16_t)(places[i] + 1);
    }
    __syncthreads();
    sum_counts(shared);
#pragma unroll
    for (int i = 0; i < EACH; i++)
        to[shared->counts[digits[i]][threadIdx.x] + places[i]] = own.positions[i];
    __syncthreads();
}

/* A value's key, unsigned. */
static __device__ __forceinline__ uint32_t key_from(const Plane &in, const Edges &edges, int size, int sy, int i) {
    const uint32_t sign = size == 4 ? 0x80000000U : 0;
    if (sy < 0 || i < 0)
        return (uint32_t)edges.outside ^ sign;
    return size == 1   ? row_of<uint8_t>(in, sy)[i]
           : size == 2 ? row_of<uint16_t>(in, sy)[i]
                       : (uint32_t)key_of(row_of<float>(in, sy)[i]) ^ sign;
}

/* Loads the tile, and lists its positions column by column. */
template <int SIDE>
static __device__ __forceinline__ void load_tile(const Plane &in, const Edges &edges, const Job &job, int left, int top,
                                                 Tile<SIDE> *shared) {
    const int x = threadIdx.x % SIDE, sx = edge_index(edges, left + x, in.width);
    const int value = sx < 0 ? -1 : sx * job.channels + (int)blockIdx.z;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int y = (int)threadIdx.x / SIDE + i * (Tile<SIDE>::THREADS / SIDE);
        shared->keys[y * SIDE + x] = key_from(in, edges, job.size, edge_index(edges, top + y, in.height), value);
        const int j = i * Tile<SIDE>::THREADS + (int)threadIdx.x;
        shared->orders[0][j] = (uint16_t)(j % SIDE << 8 | j / SIDE | GUARDS);
    }
    __syncthreads();
}

/* A window's first and last position, twice in a word each, such that differences show which positions lie within. */
typedef struct Window {
    uint32_t first, last;
} Window;

static __device__ __forceinline__ Window window_at(const Job &job, int x, int y) {
    const uint32_t first = (uint32_t)(y << 8 | x);
    const uint32_t last = first + (uint32_t)((job.height - 1) << 8) + (uint32_t)job.width - 1 + 2 * GUARDS;
    return {first * 0x10001U, last * 0x10001U};
}

/* Bits 7 and 23: whether these two positions lie in the window. */
static __device__ __forceinline__ uint32_t within(const Window &window, uint32_t two) {
    const uint32_t inside = (two - window.first) & (window.last - two);
    return inside & inside >> 8 & 0x00800080U;
}

/* How many of the RUN positions at `place` lie in the window. */
static __device__ __forceinline__ int count_within(const Window &window, const uint16_t *order, int place) {
    const uint4 run = *(const uint4 *)(order + place);
    const uint32_t counts =
        within(window, run.x) + within(window, run.y) + within(window, run.z) + within(window, run.w);
    return (int)((counts >> 7 & 0xFF) + (counts >> 23));
}

/* The position of number `rank` among the positions at `place` that lie in the window. */
static __device__ __forceinline__ int find_within(const Window &window, const uint16_t *order, int place, int rank) {
    int found = 0;
#pragma unroll
    for (int i = 0; i < RUN; i += 2) {
        const uint32_t two = *(const uint32_t *)(order + place + i), inside = within(window, two);
        if (inside & 0x80)
            found = rank-- == 0 ? (int)(two & 0xFFFF) : found;
        if (inside & 0x800000)
            found = rank-- == 0 ? (int)(two >> 16) : found;
    }
    return found;
}

/* The tile's places in the order, row by row. */
template <int SIDE> static __device__ __forceinline__ void place_all(const Tile<SIDE> *shared, uint16_t *places) {
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int j = i * Tile<SIDE>::THREADS + (int)threadIdx.x;
        places[Tile<SIDE>::index_of(shared->orders[0][j])] = (uint16_t)j;
    }
    __syncthreads();
}

/* Sums of the values before place `mark` along each row. */
template <int SIDE>
static __device__ __forceinline__ void sum_before(Tile<SIDE> *shared, const uint16_t *places, int mark) {
    const int lane = threadIdx.x % 32;
    for (int y = threadIdx.x / 32; y < SIDE; y += Tile<SIDE>::THREADS / 32) {
        int sum = 0;
        for (int x = lane; x < SIDE; x += 32) {
            const unsigned before = __ballot_sync(~0U, places[y * SIDE + x] < mark);
            shared->sums[y][x] = (uint8_t)(sum + __popc(before & ((1U << lane) - 1)));
            sum += __popc(before);
        }
        if (lane == 0)
            shared->sums[y][SIDE] = (uint8_t)sum;
    }
    __syncthreads();
}

/* A place in the order, a multiple of RUN, and how many of a window's values come before it. */
typedef struct Count {
    int place, before;
} Count;

/* The mark that is nearest the rank in the window at x, y. */
template <int SIDE>
static __device__ __forceinline__ Count begin_at(Tile<SIDE> *shared, const uint16_t *places, const Job &job, int x,
                                                 int y) {
    Count best = {0, 0};
    for (int k = 0; k < Tile<SIDE>::MARKS; k++) {
        const float share = k ? (float)k / Tile<SIDE>::MARKS : (float)job.rank / (float)(job.width * job.height);
        const int mark = (int)(share * Tile<SIDE>::ALL) / RUN * RUN;
        sum_before(shared, places, mark);
        int before = 0;
        for (int j = y; j < y + job.height; j++)
            before += shared->sums[j][x + job.width] - shared->sums[j][x];
        if (abs(before - job.rank) < abs(best.before - job.rank))
            best = {mark, before};
        if (!__syncthreads_or(FAR * abs(best.before - job.rank) > job.width * job.height))
            break;
    }
    return best;
}

static __device__ __forceinline__ void store_key(const Plane &out, int size, int y, int i, uint32_t key) {
    if (size == 1)
        row_to<uint8_t>(out, y)[i] = (uint8_t)key;
    else if (size == 2)
        row_to<uint16_t>(out, y)[i] = (uint16_t)key;
    else
        row_to<float>(out, y)[i] = of_key<float>((int)(key ^ 0x80000000U));
}

template <int SIDE>
__global__ void __launch_bounds__(SIDE *SIDE / EACH, 1152 / (SIDE * SIDE / EACH))
    rank_sorted(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                const __grid_constant__ Edges edges, const __grid_constant__ Job job) {
    extern __shared__ uint4 memory[];
    Tile<SIDE> *shared = (Tile<SIDE> *)memory;
    const int across = SIDE + 1 - job.width, down = SIDE + 1 - job.height; /* results */
    const int left = blockIdx.x * across, top = blockIdx.y * down;
    load_tile(in, edges, job, left - job.width / 2, top - job.height / 2, shared);
    for (int shift = 0; shift < 8 * job.size; shift += 2 * BITS) {
        sort_by(shared, shared->orders[0], shared->orders[1], shift);
        sort_by(shared, shared->orders[1], shared->orders[0], shift + BITS);
    }
    const uint16_t *order = shared->orders[0];
    uint16_t *places = shared->orders[1];
    place_all(shared, places);
    const int x = threadIdx.x % across, begin = min((int)threadIdx.x / across * job.rows, down);
    const int end = min(min(begin + job.rows, down), out.height - top);
    const Count from = begin_at(shared, places, job, x, min(begin, down - 1));
    int place = from.place, before = from.before;
    if (left + x >= out.width)
        return;
    for (int y = begin; y < end; y++) {
        if (y > begin) {
            const uint16_t *leaving = places + (y - 1) * SIDE + x, *entering = leaving + job.height * SIDE;
#pragma unroll 4
            for (int i = 0; i < job.width; i++)
                before += (entering[i] < place) - (leaving[i] < place);
        }
        const Window window = window_at(job, x, y);
        while (before > job.rank) {
            place -= RUN;
            before -= count_within(window, order, place);
        }
        for (int more; before + (more = count_within(window, order, place)) <= job.rank; place += RUN)
            before += more;
        store_key(out, job.size, top + y, (left + x) * job.channels + (int)blockIdx.z,
                  shared->keys[Tile<SIDE>::index_of(find_within(window, order, place, job.rank - before))]);
    }
}

/* A kernel, by the side of its tiles; the longest side of a window for which no larger tile is faster. */
typedef struct Kernel {
    int side, longest;
    const void *kernel;
    size_t bytes;
} Kernel;

#define KERNEL(SIDE, LONGEST)                                                                                          \
    { SIDE, LONGEST, (const void *)rank_sorted<SIDE>, sizeof(Tile<SIDE>) }

/* The fastest that `device` has room for; NULL: none. */
static const Kernel *kernel_of(const Device *device, const Mask *window) {
    static const Kernel kernels[] = {KERNEL(64, 29), KERNEL(96, 45), KERNEL(128, 97)};
    const size_t room = ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
    const int longest = window->width > window->height ? window->width : window->height;
    const Kernel *best = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0] && kernels[i].bytes <= room; i++)
        if (kernels[i].side >= longest - 1 + RESULTS_MIN && (!best || best->longest < longest))
            best = &kernels[i];
    return best;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Mask *window = rank_job(stage)->window;
    *why_not = "the window is not a box";
    if (!element_is_box(window))
        return false;
    *why_not = "the window is wider than a tile in shared memory has room for";
    return kernel_of(device, window) != NULL;
}

static Status run(Queue *queue, const Stage *stage) {
    const RankJob *rank = rank_job(stage);
    const Kernel *kernel = kernel_of(queue->device, rank->window);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(rank->border, stage->out.shape.type);
    Job job = {};
    job.width = rank->window->width;
    job.height = rank->window->height;
    job.rank = rank->rank;
    job.channels = stage->out.shape.channels;
    job.size = (int)pixel_type_size(stage->out.shape.type);
    const int across = kernel->side + 1 - job.width, down = kernel->side + 1 - job.height;
    const int threads = kernel->side * kernel->side / EACH;
    job.rows = (int)blocks_for(down, threads / across);
    const Launch launch = {dim3(blocks_for(out.width, across), blocks_for(out.height, down), (unsigned)job.channels),
                           dim3((unsigned)threads), kernel->bytes};
    void *arguments[] = {&in, &out, &edges, &job};
    return gpu_launch(queue, "rank sorted", kernel->kernel, launch, arguments);
}

extern "C" const Level cuda_rank_sorted = {
    .op = &op_rank,
    .name = "sorted",
    .idea =
        "boxes to 97 x 97: blocks sort their tiles; a window that moves counts its values before a place in the order",
    .accepts = accepts,
    .predictor = &rank_measured,
    .run = run,
};
