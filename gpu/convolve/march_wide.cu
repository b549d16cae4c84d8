/* march_wide.cu: small masks on u16 in registers. A thread marches down 8 values of each row, and has the sums of as
 * many rows of results as the mask is high: a row is loaded and converted once, and no tile lies in shared memory. Sums
 * are chains of f32 (chains.cuh). */
#include "gpu/convolve/chains.cuh"
#include "gpu/order.cuh"

extern "C" {
#include "gpu/convolve/march_wide.h"
}

enum {
    THREADS = 128,
    AHEAD = 2, /* rows on their way */
    SIDE_MAX = 7,
    ROWS_MAX = 1024,
    BEYOND_MAX = 16
};

template <int C, int K> struct Layout {
    enum {
        OWN = K < 7 ? 4 : 2, /* words of a thread: fewer where the code is long */
        VALUES = 2 * OWN,
        REACH = K / 2 * C, /* values to each side */
        SIDE = (REACH + 1) / 2,
        LEFT = SIDE == 3   ? 4
               : SIDE == 5 ? 6
                           : SIDE, /* for wide loads */
        WORDS = LEFT + OWN + SIDE,
        BLOCKS = K == 7 && C > 2 ? 5 : 4 /* resident on a multiprocessor, at the minimum */
    };
};

template <int C, int K>
static __device__ __forceinline__ void fetch(const Edges &edges, const Source &source, int y, uint32_t *words) {
    typedef Layout<C, K> L;
    if (y >= 0)
        load_words<0, L::WORDS, L::LEFT, L::OWN>(
            (const uint32_t *)(source.origin + (size_t)y * source.stride) - L::LEFT, words);
    else
#pragma unroll
        for (int i = 0; i < L::WORDS; i++)
            words[i] = outside_word<uint16_t>(edges);
}

/* A half of a word less the middle, by way of 2^23 + value. */
static __device__ __forceinline__ float centred(uint32_t word, bool upper) {
    return __uint_as_float(__byte_perm(word, 0x4B000000, upper ? 0x7432 : 0x7410)) - (0x1p23F + 32768);
}

/* Two results, clamped. */
static __device__ __forceinline__ uint32_t pack_wide(float first, float second) {
    uint32_t packed;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;"
        : "=r"(packed)
        : "r"(__float_as_int(second) - CHAIN_BITS), "r"(__float_as_int(first) - CHAIN_BITS));
    return packed;
}

template <int VALUES>
static __device__ __forceinline__ void store(uint16_t *to, int count, const float (&results)[VALUES]) {
    uint32_t words[VALUES / 2];
#pragma unroll
    for (int w = 0; w < VALUES / 2; w++)
        words[w] = pack_wide(results[2 * w], results[2 * w + 1]);
    if (count >= VALUES) {
        if constexpr (VALUES == 8)
            __stcs((uint4 *)to, make_uint4(words[0], words[1], words[2], words[3]));
        else
            __stcs((uint2 *)to, make_uint2(words[0], words[1]));
    } else
#pragma unroll
        for (int i = 0; i < VALUES; i++)
            if (i < count)
                to[i] = (uint16_t)(words[i / 2] >> 16 * (i % 2));
}

template <int C, int K>
__global__ void __launch_bounds__(THREADS, Layout<C, K>::BLOCKS)
    convolve_march_wide(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                        const __grid_constant__ Edges edges, const __grid_constant__ Sides sides,
                        const __grid_constant__ Chains<K> chains, int rows) {
    typedef Layout<C, K> L;
    enum { VALUES = L::VALUES };
    const int value = (blockIdx.x * THREADS + threadIdx.x) * VALUES;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    __shared__ int lines[ROWS_MAX + BEYOND_MAX]; /* the picture's rows that are read one after the other */
    for (int i = threadIdx.x; i < bottom - top + K - 1 + AHEAD; i += THREADS)
        lines[i] = edge_index(edges, top - K / 2 + i, in.height);
    __syncthreads();
    if (value >= out.width * C)
        return;
    const Source source = source_of<uint16_t>(in, sides, blockIdx.x * THREADS + threadIdx.x);
    const int count = out.width * C - value;
    uint16_t *to = row_to<uint16_t>(out, top) + value;
    const int *line = lines + AHEAD;
    uint32_t next[AHEAD][L::WORDS];
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        fetch<C, K>(edges, source, lines[i], next[i]);
    Chained chained[K][VALUES] = {};
    /* Rows of blocks of K, the first of which makes no results but the last. */
#pragma unroll 1
    for (int block = top - K + 1; block < bottom; block += K) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int y = block + k; /* the result's row; what enters is half a mask further down */
            float values[VALUES + 2 * L::REACH];
#pragma unroll
            for (int i = 0; i < VALUES + 2 * L::REACH; i++) {
                const int at = 2 * L::LEFT - L::REACH + i;
                values[i] = centred(next[0][at / 2], at % 2);
            }
#pragma unroll
            for (int i = 0; i + 1 < AHEAD; i++)
#pragma unroll
                for (int w = 0; w < L::WORDS; w++)
                    next[i][w] = next[i + 1][w];
            fetch<C, K>(edges, source, *line++, next[AHEAD - 1]);
#pragma unroll
            for (int j = 0; j < K; j++)
#pragma unroll
                for (int v = 0; v < VALUES; v++)
                    chain_row<K>(
                        chains, j, [&](int i) { return values[v + i * C]; }, chained[(k + K - 1 - j) % K][v]);
            if (y >= top) {
                float results[VALUES];
#pragma unroll
                for (int v = 0; v < VALUES; v++)
                    results[v] = chain_end<K>(chains, chained[k][v]);
                store(to, count, results);
                to = (uint16_t *)((unsigned char *)to + out.stride);
                if (y + 1 == bottom)
                    return;
            }
        }
    }
}

/* A kernel, what a thread has of a row, and what it reads on each side of that. */
typedef struct Way {
    const void *kernel;
    int own, left; /* values */
} Way;

static Way way_of(const Stage *stage) {
#define WAY(C, K)                                                                                                      \
    { (const void *)convolve_march_wide<C, K>, Layout<C, K>::VALUES, Layout<C, K>::LEFT * 2 }
#define BY_SIDE(C)                                                                                                     \
    { WAY(C, 3), WAY(C, 5), WAY(C, 7) }
    static const Way ways[4][3] = {BY_SIDE(1), BY_SIDE(2), BY_SIDE(3), BY_SIDE(4)};
    return ways[stage->out.shape.channels - 1][convolve_job(stage)->mask->width / 2 - 1];
}

extern "C" bool march_wide_accepts(const Stage *stage, const char **why_not) {
    Chains<CHAINS_MAX> chains;
    *why_not = "of u16 it takes masks of 3x3, 5x5 and 7x7, without a bias, and stores u16";
    if (stage->out.shape.type != PIXEL_U16 || convolve_job(stage)->mask->width > SIDE_MAX)
        return false;
    if (chains_of(stage, (float *)&chains))
        return true;
    if (convolve_job(stage)->mask->width % 2 == 1 && convolve_job(stage)->mask->width > 1)
        *why_not = "sums of u16 in f32 would round too many values differently";
    return false;
}

extern "C" size_t march_wide_workspace(const Stage *stage) {
    return sides_bytes(stage->out.shape, way_of(stage).own, way_of(stage).left);
}

extern "C" Status march_wide_run(Queue *queue, const Stage *stage) {
    const Way way = way_of(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(convolve_job(stage)->border, PIXEL_U16);
    Chains<CHAINS_MAX> chains;
    Sides sides;
    int rows;
    (void)chains_of(stage, (float *)&chains);
    TRY(make_sides<uint16_t>(queue, "convolve march, sides", stage, edges, way.own, way.left, &sides));
    const unsigned across = blocks_for(out.width * stage->out.shape.channels, way.own * THREADS);
    TRY(rows_at_once(queue, way.kernel, THREADS, 0, across, out.height, 1, &rows));
    rows = rows < ROWS_MAX ? rows : ROWS_MAX;
    const Launch launch = {dim3(across, blocks_for(out.height, rows)), dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &edges, &sides, &chains, &rows};
    return gpu_launch(queue, "convolve march", way.kernel, launch, arguments);
}
