/* pairs.cu: bytes, two pixels at a time in pairs of half precision, which holds whole numbers up to 2048. A thread goes
 * down four columns. It keeps the rows above in registers, so that it reads and converts each pixel once. Magnitudes of
 * the next columns come from the next threads. Comparisons are the signs of differences. */
#include "gpu/order.cuh"

#include <cuda_fp16.h>

extern "C" {
#include "core/ops/canny.h"
}

enum {
    WARPS = 4,
    ROWS = 16,  /* of a block: few, since blocks at the sides take longer */
    OWN = 4,    /* columns of a thread */
    LANES = 30, /* of a warp, without those for its sides */
    MAGNITUDE_MAX = 2047
};

static const uint32_t SIGNS = 0x80008000;

/* Pairs as words. */
static __device__ __forceinline__ __half2 pair_of(uint32_t word) {
    union {
        uint32_t word;
        __half2 pair;
    } both = {word};
    return both.pair;
}
static __device__ __forceinline__ uint32_t word_of(__half2 pair) {
    union {
        __half2 pair;
        uint32_t word;
    } both = {pair};
    return both.word;
}
static __device__ __forceinline__ uint32_t add(uint32_t a, uint32_t b) {
    return word_of(__hadd2(pair_of(a), pair_of(b)));
}
static __device__ __forceinline__ uint32_t subtract(uint32_t a, uint32_t b) {
    return word_of(__hsub2(pair_of(a), pair_of(b)));
}
static __device__ __forceinline__ uint32_t add_product(uint32_t a, float by, uint32_t b) {
    return word_of(__hfma2(pair_of(a), __float2half2_rn(by), pair_of(b)));
}
static __device__ __forceinline__ uint32_t absolute(uint32_t a) {
    return a & ~SIGNS;
}
/* The second number of one pair and the first of the next one. */
static __device__ __forceinline__ uint32_t between(uint32_t a, uint32_t b) {
    return __byte_perm(a, b, 0x5432);
}
static __device__ __forceinline__ uint32_t choose(uint32_t which, uint32_t a, uint32_t b) {
    return (a & which) | (b & ~which);
}
/* The signs of bytes `WHICH`, all over the result's; __byte_perm knows no signs. */
template <unsigned WHICH> static __device__ __forceinline__ uint32_t spread(uint32_t a, uint32_t b) {
    uint32_t all;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(a), "r"(b), "n"(WHICH | 0x8888));
    return all;
}

typedef struct PairsJob {
    Edges edges;
    int colours;     /* channels that are looked at */
    float low, high; /* whole numbers: magnitudes are above them */
} PairsJob;

/* Apart, since few threads need it, and it is long. */
static __device__ __noinline__ int index_beyond(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}
static __device__ __forceinline__ int index_of(const Edges &edges, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : index_beyond(edges.mode, i, n);
}

/* The words of a row that have a thread's columns and one to each side: the first of them ends before its own. */
template <int C> struct Words {
    enum { COUNT = 1 + (5 * C + 3) / 4 };
};

template <int C>
static __device__ __forceinline__ void fetch(const Plane &in, const Edges &edges, int x, int y,
                                             uint32_t (&words)[Words<C>::COUNT]) {
    const int sy = index_of(edges, y, in.height);
    const unsigned char *row = in.pixels + (size_t)max(sy, 0) * in.stride;
    if (x > 0 && x + OWN < in.width && sy >= 0) {
#pragma unroll
        for (int i = 0; i < Words<C>::COUNT; i++)
            words[i] = __ldg((const uint32_t *)(row + x * C) + i - 1);
        return;
    }
#pragma unroll
    for (int i = 0; i < Words<C>::COUNT; i++)
        words[i] = 0;
    if (x < 0 || x >= in.width)
        return;
#pragma unroll
    for (int p = -1; p <= OWN; p++) {
        const int sx = index_of(edges, x + p, in.width);
#pragma unroll
        for (int c = 0; c < C; c++) {
            const int at = p * C + c + 4;
            words[at / 4] |= (uint32_t)(sx < 0 || sy < 0 ? edges.outside : row[sx * C + c]) << 8 * (at % 4);
        }
    }
}

/* Columns 2k - 1 and 2k of a channel. */
template <int C>
static __device__ __forceinline__ uint32_t columns(const uint32_t (&words)[Words<C>::COUNT], int k, int c) {
    const int first = (2 * k - 1) * C + c + 4, second = first + C;
    /* 1024 + a byte, by its place */
    const uint32_t biased =
        first / 4 == second / 4
            ? __byte_perm(words[first / 4], 0x64, 0x4040 | first % 4 | second % 4 << 8)
            : (__byte_perm(words[first / 4], words[second / 4], first % 4 | (4 + second % 4) << 8) & 0x00ff00ff) |
                  0x64006400;
    return subtract(biased, 0x64006400);
}

/* A row of magnitudes: its own columns 0 and 1, 2 and 3, and the pairs that begin one column before each and behind. */
typedef struct Magnitudes {
    uint32_t left, first, middle, second, right;
} Magnitudes;

/* Where a peak is, by the sign of each half. */
static __device__ __forceinline__ uint32_t peaks_of(uint32_t here, uint32_t x, uint32_t y, uint32_t before,
                                                    uint32_t behind, uint32_t above_left, uint32_t above,
                                                    uint32_t above_right, uint32_t below_left, uint32_t below,
                                                    uint32_t below_right) {
    const uint32_t across = subtract(before, here) & ~subtract(here, behind);
    const uint32_t down = subtract(above, here) & ~subtract(here, below);
    const uint32_t falling = subtract(above_left, here) & subtract(below_right, here);
    const uint32_t rising = subtract(above_right, here) & subtract(below_left, here);
    /* 13573 / 32768 and 79109 / 32768 as sums of two halves each: products and sums near 0 are exact. */
    const uint32_t dx = absolute(x), dy = absolute(y);
    const uint32_t is_across = add_product(dx, -5.0f / 32768, add_product(dx, -13568.0f / 32768, dy));
    const uint32_t is_down = add_product(dx, 5.0f / 32768, add_product(dx, 79104.0f / 32768, dy ^ SIGNS));
    return choose(is_across, across, choose(is_down, down, choose(x ^ y, rising, falling)));
}

template <int C>
__global__ void __launch_bounds__(32 * WARPS)
    canny_pairs(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                const __grid_constant__ PairsJob job) {
    enum { PAIRS = 3 };
    const int lane = threadIdx.x % 32, x = ((blockIdx.x * WARPS + threadIdx.x / 32) * LANES + lane - 1) * OWN;
    const int top = blockIdx.y * ROWS, bottom = min(top + ROWS, out.height);
    if (x - lane * OWN + OWN >= out.width)
        return;
    uint32_t inside[2]; /* no signs: magnitudes have none */
#pragma unroll
    for (int i = 0; i < 2; i++)
        inside[i] =
            (x >= 0 && x + 2 * i < in.width ? 0x7fffU : 0) | (x >= 0 && x + 2 * i + 1 < in.width ? 0x7fff0000U : 0);
    const uint32_t low = word_of(__float2half2_rn(job.low)), high = word_of(__float2half2_rn(job.high));
    const bool writes = lane > 0 && lane <= LANES && x < out.width;
    uint32_t older[C][PAIRS], old[C][PAIRS]; /* rows y - 1 and y */
    uint32_t slope_x[2] = {}, slope_y[2] = {};
    Magnitudes above = {}, here = {};
    uint32_t words[Words<C>::COUNT];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        fetch<C>(in, job.edges, x, top - 2 + i, words);
#pragma unroll
        for (int c = 0; c < C; c++)
#pragma unroll
            for (int k = 0; k < PAIRS; k++) {
                older[c][k] = old[c][k];
                old[c][k] = columns<C>(words, k, c);
            }
    }
    fetch<C>(in, job.edges, x, top, words);
    /* Slopes of row y, then peaks of the row above it. */
#pragma unroll 3
    for (int y = top - 1; y <= bottom; y++) {
        uint32_t best_x[2], best_y[2], best[2], row[C][PAIRS];
#pragma unroll
        for (int c = 0; c < C; c++)
#pragma unroll
            for (int k = 0; k < PAIRS; k++)
                row[c][k] = columns<C>(words, k, c);
        fetch<C>(in, job.edges, x, min(y + 2, bottom + 1), words);
#pragma unroll
        for (int c = 0; c < C; c++) {
            uint32_t change[PAIRS], sum[PAIRS];
#pragma unroll
            for (int k = 0; k < PAIRS; k++) {
                change[k] = subtract(row[c][k], older[c][k]);
                sum[k] = add_product(old[c][k], 2, add(row[c][k], older[c][k]));
                older[c][k] = old[c][k], old[c][k] = row[c][k];
            }
            if (C % 2 == 0 && c == C - 1 && c >= job.colours)
                break;
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const uint32_t gx = subtract(sum[i + 1], sum[i]);
                const uint32_t gy = add_product(between(change[i], change[i + 1]), 2, add(change[i], change[i + 1]));
                const uint32_t magnitude = add(absolute(gx), absolute(gy));
                const uint32_t difference = c == 0 ? 0 : subtract(best[i], magnitude);
                const uint32_t greater = c == 0 ? 0xffffffff : spread<0x3311>(difference, difference);
                best_x[i] = c == 0 ? gx : choose(greater, gx, best_x[i]);
                best_y[i] = c == 0 ? gy : choose(greater, gy, best_y[i]);
                best[i] = c == 0 ? magnitude : choose(greater, magnitude, best[i]);
            }
        }
        const bool is_row = y >= 0 && y < in.height;
        Magnitudes below;
        below.first = is_row ? best[0] & inside[0] : 0;
        below.second = is_row ? best[1] & inside[1] : 0;
        below.left = between(__shfl_up_sync(0xffffffff, below.second, 1), below.first);
        below.middle = between(below.first, below.second);
        below.right = between(below.second, __shfl_down_sync(0xffffffff, below.first, 1));
        if (y > top && writes) {
            const uint32_t peaks[2] = {peaks_of(here.first, slope_x[0], slope_y[0], here.left, here.middle, above.left,
                                                above.first, above.middle, below.left, below.first, below.middle),
                                       peaks_of(here.second, slope_x[1], slope_y[1], here.middle, here.right,
                                                above.middle, above.second, above.right, below.middle, below.second,
                                                below.right)};
            const uint32_t weak[2] = {peaks[0] & subtract(low, here.first), peaks[1] & subtract(low, here.second)};
            const uint32_t strong[2] = {weak[0] & subtract(high, here.first), weak[1] & subtract(high, here.second)};
            const uint32_t classes = (spread<0x7531>(weak[0], weak[1]) & CANNY_WEAK * 0x01010101U) |
                                     (spread<0x7531>(strong[0], strong[1]) & (CANNY_WEAK ^ CANNY_STRONG) * 0x01010101U);
            uint8_t *to = row_to<uint8_t>(out, y - 1) + x;
            if (x + OWN <= out.width)
                *(uint32_t *)to = classes;
            else
                for (int i = 0; i < out.width - x; i++)
                    to[i] = (uint8_t)(classes >> 8 * i);
        }
        above = here, here = below;
#pragma unroll
        for (int i = 0; i < 2; i++)
            slope_x[i] = best_x[i], slope_y[i] = best_y[i];
    }
}

template <int C> static Status run_as(Queue *queue, const Stage *stage) {
    const CannyJob *canny = canny_job(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    PairsJob job = {edges_of(canny->border, PIXEL_U8), C - canny->alpha, (float)floor(fmin(canny->low, MAGNITUDE_MAX)),
                    (float)floor(fmin(canny->high, MAGNITUDE_MAX))};
    const void *kernel = (const void *)canny_pairs<C>;
    const unsigned across = blocks_for(in.width, WARPS * LANES * OWN);
    const Launch launch = {dim3(across, blocks_for(in.height, ROWS)), dim3(32 * WARPS), 0};
    void *arguments[] = {&in, &out, &job};
    return gpu_launch(queue, "canny_peaks pairs", kernel, launch, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {run_as<1>, run_as<2>, run_as<3>, run_as<4>};
    return runs[stage->in[0].shape.channels - 1](queue, stage);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const float outside = canny_job(stage)->border.value;
    (void)device;
    *why_not = "half precision holds slopes of bytes alone, and of a border's value that is a byte";
    return stage->in[0].shape.type == PIXEL_U8 && outside == rintf(outside) && outside >= 0 && outside <= 255;
}

extern "C" const Level cuda_canny_peaks_pairs = {
    .op = &op_canny_peaks,
    .name = "pairs",
    .idea = "bytes, two pixels at a time in pairs of half precision, down the columns; magnitudes of the next columns "
            "come from the next threads",
    .accepts = accepts,
    .run = run,
};
