/* counts.cu: any rank in boxes of u8 by counting, at a cost that the window's size does not change. The block counts
 * how many of the window's values are at most t, for sixteen thresholds t at a time. The result is the first t with
 * more than `rank`.
 * A block marches down a strip; a lane has eight columns. It takes the row that enters the window less the one that
 * leaves it. Prefix sums along the strip give the change of each window as a difference of two. They take a byte a
 * threshold, since no window is wider than 127. The windows' counts, 16 bits each, stay in registers, less rank + 1, so
 * that their sign is the answer. The thresholds begin where the strip's own rank is. Where results lie beyond them, the
 * block marches once more over these rows, with thresholds on both sides of those before. Neighbouring windows share
 * most of their values, so few marches do.
 * Channels lie in planes of their own meanwhile, with the border on both sides: a lane loads and stores eight values at
 * once. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/rank/measured.h"
}

enum {
    EACH = 8,  /* columns of a lane */
    WORDS = 4, /* of four thresholds each */
    THRESHOLDS = 4 * WORDS,
    HALF = THRESHOLDS / 2,
    THREADS_MAX = 128,
    WIDTH_MAX = 127,
    PITCH = EACH + 1 /* words of four of a lane, so that lanes lie in different banks */
};

#define ONES 0x01010101U
#define BIAS 0x80808080U
#define EVEN 0x00FF00FFU

typedef struct Job {
    int width, height, rank; /* of the window */
    int before, results;     /* columns of a strip before its results; results in a row; multiples of EACH */
    int rows;                /* of results that a block makes */
    int group;               /* rows at the beginning that are summed at once */
    float share;             /* rank / (width * height) */
} Job;

typedef struct Shared {
    uint32_t totals[THREADS_MAX / 32][WORDS];
    unsigned counts[256];
    int guess;
    unsigned seen;   /* bit n: a result with n thresholds below it */
    int first, last; /* rows with results beyond the thresholds */
} Shared;

/* The signs of four halves, a byte each: 0 or -1. */
static __device__ __forceinline__ uint32_t signs(uint32_t a, uint32_t b) {
    uint32_t bytes;
    asm("prmt.b32 %0, %1, %2, 0xFDB9;" : "=r"(bytes) : "r"(a), "r"(b));
    return bytes;
}

/* The columns' values in row y of a plane with its border; `x` is the lane's first column. */
static __device__ __forceinline__ uint2 fetch(const Plane &in, const Edges &edges, int x, int y) {
    const int sy = edge_index(edges, y, in.height);
    return sy < 0 ? make_uint2(edges.outside * ONES, edges.outside * ONES)
                  : __ldg((const uint2 *)(in.pixels + (size_t)sy * in.stride + x));
}

/* Number `i` of a lane's values. */
static __device__ __forceinline__ unsigned value_of(const uint2 &values, int i) {
    return (i < 4 ? values.x : values.y) >> i % 4 * 8 & 0xFF;
}

/* Finds the rank among some of the strip's values: shared->guess. */
static __device__ __forceinline__ void guess_rank(const Plane &in, const Edges &edges, const Job &job, int x, int top,
                                                  int bottom, Shared *shared) {
    const int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        shared->counts[i] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const uint2 values = fetch(in, edges, x, top + (bottom - top) * (2 * k + 1) / 8);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            atomicAdd(&shared->counts[value_of(values, i)], 1);
    }
    __syncthreads();
    if (threadIdx.x / 32 == 0) {
        unsigned own = 0, sum;
        for (int i = 0; i < 8; i++)
            own += shared->counts[8 * lane + i];
        sum = own;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const unsigned before = __shfl_up_sync(~0U, sum, step);
            sum += lane >= step ? before : 0;
        }
        const unsigned target = (unsigned)(job.share * (float)(4 * EACH * blockDim.x));
        unsigned before = sum - own;
        if (before <= target && target < sum)
            for (int i = 0; i < 8; i++) {
                if (before <= target)
                    shared->guess = 8 * lane + i;
                before += shared->counts[8 * lane + i];
            }
    }
    __syncthreads();
}

/* Eight thresholds from `lower` on, and eight from `upper` on. */
typedef struct Thresholds {
    int lower, upper, bases[WORDS];
    bool first, both; /* the first march; results are sought on both sides of those found */
} Thresholds;

/* The share in the counts of a lane's value number `i`: bytes of 1 at thresholds of at least it. */
static __device__ __forceinline__ uint32_t mask_of(const Thresholds &thresholds, const uint2 &values, int i, int w) {
    return __funnelshift_rc(ONES, 0, (unsigned)max(8 * (int)value_of(values, i) + thresholds.bases[w], 0));
}

/* A lane in its strip. */
typedef struct Place {
    int x, from, right; /* its first column, and where it reads; how far a window reaches */
    bool has_results;
} Place;

/* Makes prefix sums along the strip, in shared memory, of the changes of all lanes' columns. */
static __device__ __forceinline__ void put_prefixes(uint32_t (&columns)[EACH][WORDS], Shared *shared, uint4 *prefixes) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t before[WORDS];
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
#pragma unroll
        for (int i = 1; i < EACH; i++)
            columns[i][w] += columns[i - 1][w];
        uint32_t sum = columns[EACH - 1][w];
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t left = __shfl_up_sync(~0U, sum, step);
            sum += lane >= step ? left : 0;
        }
        if (lane == 31)
            shared->totals[warp][w] = sum;
        before[w] = sum - columns[EACH - 1][w];
    }
    __syncthreads();
    for (int other = 0; other < warp; other++)
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            before[w] += shared->totals[other][w];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        prefixes[PITCH * threadIdx.x + i] = make_uint4(columns[i][0] + before[0], columns[i][1] + before[1],
                                                       columns[i][2] + before[2], columns[i][3] + before[3]);
    __syncthreads();
}

/* From changes in the columns to changes in the windows. */
static __device__ __forceinline__ void change(const Job &job, const Place &place, uint32_t (&columns)[EACH][WORDS],
                                              Shared *shared, uint4 *prefixes, uint32_t (&counts)[EACH][2 * WORDS]) {
    put_prefixes(columns, shared, prefixes);
    if (!place.has_results)
        return;
    const int from = -job.width / 2 - 1;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const uint4 more = prefixes[PITCH * threadIdx.x + i + place.right + (i + place.right) / EACH];
        const uint4 less = prefixes[PITCH * (int)threadIdx.x + i + from + ((i + from) >> 3)];
        const uint32_t differences[WORDS] = {more.x - less.x + BIAS, more.y - less.y + BIAS, more.z - less.z + BIAS,
                                             more.w - less.w + BIAS};
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            counts[i][2 * w] += (differences[w] & EVEN) - (BIAS & EVEN);
            counts[i][2 * w + 1] += __byte_perm(differences[w], 0, 0x4341) - (BIAS & EVEN);
        }
    }
}

/* Counts the rows of the first window but its last, from `begin` on. */
static __device__ __forceinline__ void count_first(const Plane &in, const Edges &edges, const Job &job,
                                                   const Place &place, const Thresholds &thresholds, int begin,
                                                   Shared *shared, uint4 *prefixes,
                                                   uint32_t (&counts)[EACH][2 * WORDS]) {
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int w = 0; w < 2 * WORDS; w++)
            counts[i][w] = (uint32_t)(job.rank + 1) * 0xFFFEFFFFU;
    for (int j = 0; j + 1 < job.height; j += job.group) {
        uint32_t columns[EACH][WORDS] = {};
        for (int k = j; k < j + job.group && k + 1 < job.height; k++) {
            const uint2 values = fetch(in, edges, place.from, begin + k);
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int w = 0; w < WORDS; w++)
                    columns[i][w] += mask_of(thresholds, values, i, w);
        }
        change(job, place, columns, shared, prefixes, counts);
    }
}

/* Stores results of a row, as far as the thresholds tell them. Returns bit n for each with n thresholds below it. `out`
 * is a copy: given a reference, nvcc 13 computes more ahead of the loop over rows than registers hold. */
static __device__ __forceinline__ unsigned store_results(Plane out, const Job &job, const Place &place,
                                                         const Thresholds &thresholds, int y,
                                                         const uint32_t (&counts)[EACH][2 * WORDS]) {
    unsigned seen = 0;
    int results[EACH];
    bool found[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int n = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            n = __dp4a((int)signs(counts[i][2 * w], counts[i][2 * w + 1]), (int)0xFFFFFFFF, n);
        seen |= 1U << n;
        results[i] = n + (n > HALF ? thresholds.upper - HALF : thresholds.lower);
        found[i] = n % HALF != 0 || (n == HALF && !thresholds.both);
    }
    uint8_t *row = row_to<uint8_t>(out, y);
    if (thresholds.first && place.x + EACH <= out.width) {
        uint32_t words[2] = {0, 0};
#pragma unroll
        for (int i = 0; i < EACH; i++)
            words[i / 4] |= (uint32_t)(results[i] & 0xFF) << i % 4 * 8;
        *(uint2 *)(row + place.x) = make_uint2(words[0], words[1]);
    } else
#pragma unroll
        for (int i = 0; i < EACH; i++)
            if (found[i] && place.x + i < out.width)
                row[place.x + i] = (uint8_t)results[i];
    return seen;
}

/* A lane's findings on a march: bits as in Shared.seen, and the rows with results beyond the thresholds. */
typedef struct Seen {
    unsigned bits;
    int first, last;
} Seen;

/* Gathers all lanes' findings in `shared`. */
static __device__ __forceinline__ void gather(const Seen &seen, unsigned beyond, Shared *shared) {
    __syncthreads();
    if (threadIdx.x == 0) {
        shared->seen = 0;
        shared->first = INT_MAX;
        shared->last = -1;
    }
    __syncthreads();
    if (seen.bits & beyond) {
        atomicOr(&shared->seen, seen.bits);
        atomicMin(&shared->first, seen.first);
        atomicMax(&shared->last, seen.last);
    }
    __syncthreads();
}

/* `in` and `out` are the first channel's planes; those of others follow. */
__global__ void __launch_bounds__(THREADS_MAX, 4)
    rank_counts(Plane in, Plane out, const __grid_constant__ Edges edges, const __grid_constant__ Job job) {
    extern __shared__ uint4 prefixes[];
    Shared *shared = (Shared *)(prefixes + PITCH * blockDim.x);
    const int column = (int)threadIdx.x * EACH; /* of the strip */
    const int x = blockIdx.x * job.results - job.before + column, right = job.width - 1 - job.width / 2;
    const Place place = {x, min(x, (in.width - 1 + right) / EACH * EACH), right,
                         column >= job.before && column < job.before + job.results && x < out.width};
    int top = blockIdx.y * job.rows, bottom = min(top + job.rows, out.height);
    in.pixels += blockIdx.z * in.stride * in.height;
    out.pixels += blockIdx.z * out.stride * out.height;
    guess_rank(in, edges, job, place.from, top, bottom, shared);

    /* Results from `low` to `high` are found; thresholds are then below those, above, or both. */
    int low = shared->guess - HALF + 1, high = low + THRESHOLDS - 2;
    bool below = true, above = true;
    for (bool first = true; below || above; first = false) {
        const bool both = !first && below && above;
        const int lower = first ? low - 1 : both ? low - HALF : below ? low - THRESHOLDS : high;
        const int upper = both ? high : lower + HALF;
        const Thresholds thresholds = {
            lower, upper, {-8 * lower, -8 * lower - 32, -8 * upper, -8 * upper - 32}, first, both};
        if (both)
            low -= HALF - 1, high += HALF - 1;
        else if (!first && below)
            low -= THRESHOLDS - 1;
        else if (!first)
            high += THRESHOLDS - 1;
        const int begin = top - job.height / 2;
        uint32_t counts[EACH][2 * WORDS]; /* two a word; the greater threshold in the lower half */
        count_first(in, edges, job, place, thresholds, begin, shared, prefixes, counts);
        const unsigned beyond = (below ? 1U : 0) | (above ? 1U << THRESHOLDS : 0);
        Seen seen = {0, INT_MAX, -1};
        uint2 entering = fetch(in, edges, place.from, begin + job.height - 1), leaving = make_uint2(~0U, ~0U);
        bool leaves = false;
        for (int y = top; y < bottom; y++) {
            uint32_t changes[EACH][WORDS];
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int w = 0; w < WORDS; w++)
                    changes[i][w] =
                        mask_of(thresholds, entering, i, w) - (leaves ? mask_of(thresholds, leaving, i, w) : 0);
            leaves = true;
            entering = fetch(in, edges, place.from, y - job.height / 2 + job.height);
            leaving = fetch(in, edges, place.from, y - job.height / 2);
            change(job, place, changes, shared, prefixes, counts);
            if (!place.has_results)
                continue;
            const unsigned row_seen = store_results(out, job, place, thresholds, y, counts);
            seen.bits |= row_seen;
            if (row_seen & beyond) {
                seen.first = min(seen.first, y);
                seen.last = y;
            }
        }
        gather(seen, beyond, shared);
        below = below && (shared->seen & 1);
        above = above && (shared->seen >> THRESHOLDS & 1);
        top = shared->first;
        bottom = shared->last + 1;
    }
}

/* The planes of a picture's channels, one after another. A thread takes FOUR pixels. */
enum { FOUR = 4, PAD = 72 /* columns on both sides, of which windows reach 63 and their last words 6 more */ };

static size_t plane_stride(size_t width) {
    return (width + EACH - 1) / EACH * EACH;
}

/* Makes planes with the border on their sides. */
template <int C> static __global__ void split(Plane in, Plane out, Edges edges) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * FOUR - PAD, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width + PAD || y >= in.height)
        return;
    const uint8_t *row = row_of<uint8_t>(in, y);
    uint32_t words[C], planes[C] = {};
    if (x >= 0 && x + FOUR <= in.width)
#pragma unroll
        for (int i = 0; i < C; i++)
            words[i] = ((const uint32_t *)(row + x * C))[i];
    else
#pragma unroll
        for (int i = 0; i < FOUR; i++) {
            const int sx = edge_index(edges, x + i, in.width);
#pragma unroll
            for (int c = 0; c < C; c++) {
                const int at = i * C + c;
                const uint32_t value = (uint32_t)(sx < 0 ? edges.outside : row[sx * C + c]);
                words[at / 4] = (at % 4 == 0 ? 0 : words[at / 4]) | value << at % 4 * 8;
            }
        }
#pragma unroll
    for (int i = 0; i < FOUR * C; i++)
        planes[i % C] |= (words[i / 4] >> i % 4 * 8 & 0xFF) << i / C * 8;
#pragma unroll
    for (int c = 0; c < C; c++)
        *(uint32_t *)(out.pixels + ((size_t)c * out.height + y) * out.stride + x) = planes[c];
}

/* Makes a picture of planes without borders. */
template <int C> static __global__ void join(Plane in, Plane out) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * FOUR, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    uint8_t *row = row_to<uint8_t>(out, y) + x * C;
    uint32_t words[C] = {}, planes[C];
#pragma unroll
    for (int c = 0; c < C; c++)
        planes[c] = *(const uint32_t *)(in.pixels + ((size_t)c * in.height + y) * in.stride + x);
#pragma unroll
    for (int i = 0; i < FOUR * C; i++)
        words[i / 4] |= (planes[i % C] >> i / C * 8 & 0xFF) << i % 4 * 8;
    if (x + FOUR <= out.width)
#pragma unroll
        for (int i = 0; i < C; i++)
            ((uint32_t *)row)[i] = words[i];
    else
        for (int i = 0; i < (out.width - x) * C; i++)
            row[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const RankJob *job = rank_job(stage);
    const int area = job->window->width * job->window->height;
    *why_not = "its counts are of u8";
    if (stage->out.shape.type != PIXEL_U8)
        return false;
    *why_not = "the window is not a box";
    if (!element_is_box(job->window))
        return false;
    *why_not = "the window is wider than 127, or has too many values for 16 bits";
    return job->window->width <= WIDTH_MAX && job->rank < 32767 && area - job->rank <= 32768;
}

static size_t split_bytes(Shape shape) {
    return plane_stride(shape.width + 2 * PAD) * shape.height * (size_t)shape.channels;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Shape shape = stage->out.shape;
    (void)device;
    return split_bytes(shape) +
           (shape.channels == 1 ? 0 : plane_stride(shape.width) * shape.height * (size_t)shape.channels);
}

static Status by_fours(Queue *queue, const char *where, const void *kernel, int columns, int rows, void **arguments) {
    const Launch launch = {dim3(blocks_for(columns, 32 * FOUR), blocks_for(rows, 8)), dim3(32, 8), 0};
    return gpu_launch(queue, where, kernel, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const splits[] = {(const void *)split<1>, (const void *)split<2>, (const void *)split<3>,
                                         (const void *)split<4>};
    static const void *const joins[] = {NULL, (const void *)join<2>, (const void *)join<3>, (const void *)join<4>};
    const RankJob *rank = rank_job(stage);
    const Shape shape = stage->out.shape;
    const int channels = shape.channels, threads = THREADS_MAX;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out), planes = in, results = out;
    Edges edges = edges_of(rank->border, shape.type);
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    planes.pixels = (unsigned char *)memory + PAD;
    planes.stride = plane_stride(shape.width + 2 * PAD);
    if (channels > 1) {
        results.pixels = (unsigned char *)memory + split_bytes(shape);
        results.stride = plane_stride(shape.width);
        results.width = (int)results.stride; /* whole words of results, as `join` reads them */
    }
    Job job = {};
    job.width = rank->window->width;
    job.height = rank->window->height;
    job.rank = rank->rank;
    job.share = (float)rank->rank / (float)(job.width * job.height);
    job.group = WIDTH_MAX / job.width;
    job.before = (int)blocks_for(job.width / 2 + 1, EACH) * EACH;
    const int most = (threads * EACH - job.before - job.width / 2) / EACH * EACH;
    const unsigned strips = blocks_for(out.width, most);
    job.results = (int)blocks_for(out.width, (int)strips * EACH) * EACH;
    const size_t bytes = (size_t)(PITCH * threads) * sizeof(uint4) + sizeof(Shared);
    const void *kernel = (const void *)rank_counts;
    TRY(rows_at_once(queue, kernel, threads, bytes, strips * (unsigned)channels, out.height, 1, &job.rows));
    job.rows = job.rows > job.height ? job.rows : job.height;
    const Launch launch = {dim3(strips, blocks_for(out.height, job.rows), (unsigned)channels), dim3(threads), bytes};
    void *to_planes[] = {&in, &planes, &edges}, *arguments[] = {&planes, &results, &edges, &job};
    void *from_planes[] = {&results, &out};
    TRY(by_fours(queue, "rank counts, planes", splits[channels - 1], out.width + 2 * PAD, out.height, to_planes));
    TRY(gpu_launch(queue, "rank counts", kernel, launch, arguments));
    return channels == 1
               ? STATUS_OK
               : by_fours(queue, "rank counts, pixels", joins[channels - 1], out.width, out.height, from_planes);
}

extern "C" const Level cuda_rank_counts = {
    .op = &op_rank,
    .name = "counts",
    .idea = "u8: how many of each window's values sixteen thresholds reach, carried down in registers; a result lies "
            "where they pass its rank",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &rank_measured,
    .run = run,
};
