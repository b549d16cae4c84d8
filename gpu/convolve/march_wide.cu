/* march_wide.cu: small masks on u16 in registers. A thread marches down 8 values of each row, and has the sums of as
 * many rows of results as the mask is high. A row is loaded and converted once, and no tile lies in shared memory. Sums
 * are chains of f32 (chains.cuh). */
#include "gpu/convolve/chains.cuh"
#include "gpu/rows.cuh"

extern "C" {
#include "gpu/convolve/march_wide.h"
}

enum {
    THREADS = 128,
    AHEAD = 2, /* rows on their way */
    SIDE_MAX = 7
};

/* A thread has fewer words where the code is long. */
template <int C, int K> struct Layout : RowWords<(K < 7 ? 4 : 2), 2 * (K / 2 * C)> {
    enum {
        VALUES = 2 * Layout::OWN,
        REACH = K / 2 * C,               /* values to each side */
        BLOCKS = K == 7 && C > 2 ? 5 : 4 /* resident on a multiprocessor, at the minimum */
    };
};

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
                        const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows,
                        const __grid_constant__ Chains<K> chains) {
    typedef Layout<C, K> L;
    enum { VALUES = L::VALUES };
    const int value = (blockIdx.x * THREADS + threadIdx.x) * VALUES;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    __shared__ int lines[ROWS_MAX + ROWS_BEYOND_MAX];
    list_rows<K, AHEAD>(edges, top, bottom, in.height, THREADS, lines);
    __syncthreads();
    if (value >= out.width * C)
        return;
    const int count = out.width * C - value;
    uint16_t *to = row_to<uint16_t>(out, top) + value;
    Arriving<uint16_t, L, AHEAD> arriving;
    arriving.begin(edges, source_of<uint16_t>(in, sides, blockIdx.x * THREADS + threadIdx.x), lines);
    Chained chained[K][VALUES] = {};
    /* Rows of blocks of K, the first of which makes no results but the last. */
#pragma unroll 1
    for (int block = top - K + 1; block < bottom; block += K) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int y = block + k; /* the result's row; the row that enters is half a mask further down */
            float values[VALUES + 2 * L::REACH];
#pragma unroll
            for (int i = 0; i < VALUES + 2 * L::REACH; i++) {
                const int at = 2 * L::LEFT - L::REACH + i;
                values[i] = centred(arriving.next[0][at / 2], at % 2);
            }
            arriving.shift(edges);
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

static Marching marching_of(const Stage *stage) {
#define MARCHING(C, K)                                                                                                 \
    { (const void *)convolve_march_wide<C, K>, Layout<C, K>::VALUES, Layout<C, K>::LEFT * 2 }
#define BY_SIDE(C)                                                                                                     \
    { MARCHING(C, 3), MARCHING(C, 5), MARCHING(C, 7) }
    static const Marching marchings[4][3] = {BY_SIDE(1), BY_SIDE(2), BY_SIDE(3), BY_SIDE(4)};
    return marchings[stage->out.shape.channels - 1][convolve_job(stage)->mask->width / 2 - 1];
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
    return sides_bytes(stage->out.shape, marching_of(stage).own, marching_of(stage).left);
}

extern "C" Status march_wide_run(Queue *queue, const Stage *stage) {
    Chains<CHAINS_MAX> chains;
    (void)chains_of(stage, (float *)&chains);
    return march_rows<uint16_t>(queue, "convolve march", "convolve march, sides", stage, marching_of(stage), THREADS,
                                convolve_job(stage)->border, &chains);
}
