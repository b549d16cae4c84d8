/* histogram.cu: any rank in boxes of u8, by histograms of columns in shared memory (S. Perreault and P. Hebert, Median
 * filtering in constant time, IEEE Trans. Image Processing 16(9), 2007).
 * A block marches down a strip. For each column it keeps how many of the window's rows have a value of at most 15, 31
 * and so on to 255. Within each of these sixteen ranges it keeps how many have at most the first of the range, the
 * second, and so on. The counts, up to 255, are bytes. For each row one value enters and one leaves. Prefix sums along
 * the strip give the counts of any window as a difference of two. The counts of ranges say in which range the result
 * is. Then only the ranges that some window of the row needs are summed. The cost depends on how many those are, but
 * not on the window's size. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/rank/measured.h"
}

enum {
    THREADS = 256,
    CHUNKS = THREADS / 4, /* runs of columns; four threads sum one */
    RANGES = 16,
    COLUMN = 16 * (RANGES + 1), /* bytes of a column: counts of the ranges, and within each */
    SUMS = 32,                  /* bytes of a column's prefix sums */
    EACH = 3,                   /* columns of a thread, at most */
    CHUNK_MAX = 13,             /* columns of a run, at most */
    RESULTS_MIN = 32
};

/* The measures of a strip. */
typedef struct Strip {
    int results, columns; /* in a row */
    int chunk;            /* columns of a run */
    int rows;             /* of results that a block makes */
    int width, height, rank, channels;
} Strip;

typedef struct Shared {
    uint4 masks[RANGES]; /* bytes of 1 from a number on */
    uint2 totals[CHUNKS][4];
    unsigned needed;
} Shared;

static __device__ __forceinline__ void add(unsigned char *at, uint4 mask) {
    uint4 counts = *(uint4 *)at;
    counts.x += mask.x, counts.y += mask.y, counts.z += mask.z, counts.w += mask.w;
    *(uint4 *)at = counts;
}
static __device__ __forceinline__ void subtract(unsigned char *at, uint4 mask) {
    uint4 counts = *(uint4 *)at;
    counts.x -= mask.x, counts.y -= mask.y, counts.z -= mask.z, counts.w -= mask.w;
    *(uint4 *)at = counts;
}

/* The sums of a run of columns, of four counts: even ones and odd ones. */
static __device__ __forceinline__ void accumulate(uint2 *sums, uint32_t counts) {
    sums->x += counts & 0x00FF00FF;
    sums->y += counts >> 8 & 0x00FF00FF;
}

/* Prefix sums along the strip of the sixteen counts at `offset` of each column. All threads; the last step is theirs to
 * wait for. */
static __device__ void sum_along(const Strip &strip, Shared *shared, const unsigned char *columns,
                                 unsigned char *prefixes, int offset) {
    const int part = threadIdx.x % 4, run = threadIdx.x / 4, begin = run * strip.chunk;
    const int end = min(begin + strip.chunk, strip.columns);
    uint2 sums = make_uint2(0, 0);
    uint32_t counts[CHUNK_MAX];
#pragma unroll
    for (int i = 0; i < CHUNK_MAX; i++)
        if (begin + i < end) {
            counts[i] = *(const uint32_t *)(columns + (begin + i) * COLUMN + offset + 4 * part);
            accumulate(&sums, counts[i]);
        }
    shared->totals[run][part] = sums;
    __syncthreads();
    { /* a warp a word: totals become sums of the totals before */
        const int lane = threadIdx.x % 32, word = threadIdx.x / 32;
        uint32_t *totals = (uint32_t *)shared->totals + word;
        const uint32_t first = totals[2 * lane * 8], second = totals[(2 * lane + 1) * 8];
        uint32_t sum = first + second;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0U, sum, step);
            sum += lane >= step ? before : 0;
        }
        totals[2 * lane * 8] = sum - first - second;
        totals[(2 * lane + 1) * 8] = sum - second;
    }
    __syncthreads();
    sums = shared->totals[run][part];
#pragma unroll
    for (int i = 0; i < CHUNK_MAX; i++)
        if (begin + i < end) {
            accumulate(&sums, counts[i]);
            *(uint2 *)(prefixes + (begin + i) * SUMS + 8 * part) = sums;
        }
    __syncthreads();
}

/* How many of a window's sixteen sums are at most `target`. SMALL: sums have 15 bits, so that the sign of a difference
 * tells. */
template <bool SMALL>
static __device__ __forceinline__ int count_at_most(const Strip &strip, const unsigned char *prefixes, int result,
                                                    int target) {
    union {
        uint4 quads[2];
        uint32_t words[8];
    } last, before;
    const unsigned char *at = prefixes + (result + strip.width - 1) * SUMS;
    last.quads[0] = ((const uint4 *)at)[0], last.quads[1] = ((const uint4 *)at)[1];
    before.quads[0] = before.quads[1] = make_uint4(0, 0, 0, 0);
    if (result > 0) {
        at = prefixes + (result - 1) * SUMS;
        before.quads[0] = ((const uint4 *)at)[0], before.quads[1] = ((const uint4 *)at)[1];
    }
    const uint32_t targets = (uint32_t)target * 0x00010001U;
    uint32_t found = 0;
    if constexpr (SMALL) {
#pragma unroll
        for (int i = 0; i < 8; i++)
            found = found >> 1 | ((targets | 0x80008000U) + before.words[i] - last.words[i] & 0x80008000U);
        return __popc(found);
    } else {
#pragma unroll
        for (int i = 0; i < 8; i++)
            found += __vsetleu2(last.words[i] - before.words[i], targets);
        return (int)((found & 0xFFFF) + (found >> 16));
    }
}

/* The window's sum number `i` of the sixteen. Two sums share a word: one's carry goes with the difference. */
static __device__ __forceinline__ int sum_at(const Strip &strip, const unsigned char *prefixes, int result, int i) {
    const int place = i / 4 * 8 + i % 2 * 4;
    const uint32_t last = *(const uint32_t *)(prefixes + (result + strip.width - 1) * SUMS + place);
    const uint32_t before = result > 0 ? *(const uint32_t *)(prefixes + (result - 1) * SUMS + place) : 0;
    return (int)((last - before) >> (i / 2 % 2 * 16) & 0xFFFF);
}

/* Makes the bytes that a value adds to the counts; one a thread. */
static __device__ __forceinline__ void make_mask(Shared *shared) {
    union {
        uint4 quad;
        unsigned char bytes[16];
    } mask;
    for (int i = 0; i < 16; i++)
        mask.bytes[i] = i >= (int)threadIdx.x;
    shared->masks[threadIdx.x] = mask.quad;
}

/* Finds the range of each of the thread's results, or -1 where it has none, and the rank among the range's values. The
 * strip begins at column `left` of `width`. Returns a bit for each range. */
template <bool SMALL>
static __device__ __forceinline__ unsigned find_ranges(const Strip &strip, const unsigned char *prefixes, int left,
                                                       int width, int (&ranges)[EACH], int (&targets)[EACH]) {
    unsigned needed = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = threadIdx.x + k * THREADS;
        ranges[k] = -1;
        targets[k] = 0;
        if (i < strip.results && left + i < width) {
            ranges[k] = count_at_most<SMALL>(strip, prefixes, i, strip.rank);
            targets[k] = strip.rank - (ranges[k] > 0 ? sum_at(strip, prefixes, i, ranges[k] - 1) : 0);
            needed |= 1U << ranges[k];
        }
    }
    return needed;
}

/* The bits of all threads of a warp. */
static __device__ __forceinline__ unsigned of_the_warp(unsigned bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0U, bits);
#else
    for (int step = 16; step > 0; step /= 2)
        bits |= __shfl_xor_sync(~0U, bits, step);
    return bits;
#endif
}

template <bool SMALL>
__global__ void __launch_bounds__(THREADS)
    rank_histogram(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                   const __grid_constant__ Edges edges, const __grid_constant__ Strip strip) {
    extern __shared__ uint4 memory[];
    Shared *shared = (Shared *)memory;
    unsigned char *columns = (unsigned char *)(shared + 1), *prefixes = columns + strip.columns * COLUMN;
    const int channel = blockIdx.z, left = blockIdx.x * strip.results;
    const int top = blockIdx.y * strip.rows, bottom = min(top + strip.rows, out.height);
    if (threadIdx.x < RANGES)
        make_mask(shared);
    int places[EACH], entering[EACH], leaving[EACH]; /* of the thread's columns: which value of a row, -1 outside */
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const int i = threadIdx.x + k * THREADS, x = left + i - strip.width / 2;
        const int sx = i < strip.columns ? edge_index(edges, x, in.width) : -1;
        places[k] = sx < 0 ? -1 : sx * strip.channels + channel;
        leaving[k] = 0;
    }
    for (int i = threadIdx.x; i < strip.columns * COLUMN / 16; i += THREADS)
        ((uint4 *)columns)[i] = make_uint4(0, 0, 0, 0);
    const auto fetch = [&](int y, int(&values)[EACH]) {
        const int sy = edge_index(edges, y, in.height);
#pragma unroll
        for (int k = 0; k < EACH; k++)
            values[k] = sy < 0 || places[k] < 0 ? edges.outside : row_of<uint8_t>(in, sy)[places[k]];
    };
    const auto update = [&](bool leaves) {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const int i = threadIdx.x + k * THREADS;
            if (i >= strip.columns)
                continue;
            unsigned char *column = columns + i * COLUMN;
            add(column, shared->masks[entering[k] / RANGES]);
            add(column + 16 + entering[k] / RANGES * 16, shared->masks[entering[k] % RANGES]);
            if (leaves) {
                subtract(column, shared->masks[leaving[k] / RANGES]);
                subtract(column + 16 + leaving[k] / RANGES * 16, shared->masks[leaving[k] % RANGES]);
            }
        }
    };
    __syncthreads();
    const int above = strip.height / 2;
    for (int j = 0; j + 1 < strip.height; j++) {
        fetch(top - above + j, entering);
        update(false);
    }
    fetch(top - above + strip.height - 1, entering);
    for (int y = top; y < bottom; y++) {
        update(y > top);
        if (threadIdx.x == 0)
            shared->needed = 0;
        __syncthreads();
        if (y + 1 < bottom) { /* on their way while this row is summed */
            fetch(y - above + strip.height, entering);
            fetch(y - above, leaving);
        }
        sum_along(strip, shared, columns, prefixes, 0);
        int ranges[EACH], targets[EACH];
        const unsigned needed = of_the_warp(find_ranges<SMALL>(strip, prefixes, left, out.width, ranges, targets));
        if (threadIdx.x % 32 == 0)
            atomicOr(&shared->needed, needed);
        __syncthreads();
        for (unsigned rest = shared->needed; rest; rest &= rest - 1) {
            const int range = __ffs((int)rest) - 1;
            sum_along(strip, shared, columns, prefixes, 16 + 16 * range);
#pragma unroll
            for (int k = 0; k < EACH; k++)
                if (ranges[k] == range) {
                    const int i = threadIdx.x + k * THREADS;
                    row_to<uint8_t>(out, y)[(left + i) * strip.channels + channel] =
                        (uint8_t)(range * RANGES + count_at_most<SMALL>(strip, prefixes, i, targets[k]));
                }
            __syncthreads();
        }
    }
}

/* The columns that shared memory holds: for two blocks a multiprocessor if their strips are wide enough, else for one.
 */
static int columns_that_fit(const Device *device, int width) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const int one = (int)(limits->sharedMemPerBlockOptin - sizeof(Shared)) / (COLUMN + SUMS);
    const int two = (int)(limits->sharedMemPerMultiprocessor / 2 - 1024 - sizeof(Shared)) / (COLUMN + SUMS);
    const int columns = two >= 2 * width && two >= width + 6 * RESULTS_MIN ? two : one;
    return columns < EACH * THREADS ? columns : EACH * THREADS; /* no more than CHUNKS * CHUNK_MAX */
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Mask *window = rank_job(stage)->window;
    *why_not = "its counts are of u8";
    if (stage->out.shape.type != PIXEL_U8)
        return false;
    *why_not = "the window is not a box";
    if (!element_is_box(window))
        return false;
    *why_not = "the window is wider than shared memory has room for";
    return columns_that_fit(device, window->width) >= window->width - 1 + RESULTS_MIN;
}

static Status run(Queue *queue, const Stage *stage) {
    const RankJob *job = rank_job(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, stage->out.shape.type);
    Strip strip = {};
    strip.width = job->window->width;
    strip.height = job->window->height;
    strip.rank = job->rank;
    strip.channels = stage->out.shape.channels;
    const int most = columns_that_fit(queue->device, strip.width) - strip.width + 1;
    const int strips = (int)blocks_for(out.width, most);
    strip.results = (int)blocks_for(out.width, strips);
    strip.columns = strip.results + strip.width - 1;
    strip.chunk = (int)blocks_for(strip.columns, CHUNKS) | 1; /* odd, so that runs begin in different banks */
    /* As many blocks as run at once, but none that does little but begin. */
    const int at_once = 2 * gpu_of(queue->device)->limits.multiProcessorCount;
    const int pieces = at_once / (strips * strip.channels) > 0 ? at_once / (strips * strip.channels) : 1;
    const int rows = (int)blocks_for(out.height, pieces);
    strip.rows = rows > strip.height ? rows : strip.height;
    const Launch launch = {dim3((unsigned)strips, blocks_for(out.height, strip.rows), (unsigned)strip.channels),
                           dim3(THREADS), sizeof(Shared) + (size_t)strip.columns * (COLUMN + SUMS)};
    void *arguments[] = {&in, &out, &edges, &strip};
    return gpu_launch(queue, "rank histogram",
                      strip.width * strip.height <= INT16_MAX ? (const void *)rank_histogram<true>
                                                              : (const void *)rank_histogram<false>,
                      launch, arguments);
}

extern "C" const Level cuda_rank_histogram = {
    .op = &op_rank,
    .name = "histogram",
    .idea =
        "u8: histograms of columns in shared memory; prefix sums along the row give any window's, whatever its size",
    .accepts = accepts,
    .predictor = &rank_measured,
    .run = run,
};
