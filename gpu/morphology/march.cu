/* march.cu: squares of 3, 5, 7 and 15 pixels of u8 in registers. A thread marches down 16 bytes of each row.
 * Bytes are compared two at a time, in the upper halves of a word's halves, with even and odd bytes apart. The bits
 * below them change no order. Along the row, extrema of runs are made of shorter ones, and two windows that are
 * neighbours share all but their ends. Down the columns, each row takes the place of the one that leaves (M. van Herk,
 * Pattern Recognition Letters 13, 1992; J. Gil and M. Werman, IEEE PAMI 15, 1993). */
#include "gpu/rank/network.cuh"
#include "gpu/rows.cuh"

extern "C" {
#include "core/ops/morphology.h"
}

enum { THREADS = 128, OWN = 4 /* words of a thread */ };

template <int C, int K> struct Layout : RowWords<OWN, K / 2 * C> {
    enum { AHEAD = C == 1 ? 3 : 2 /* rows on their way */ };
};

template <bool MAX, typename... W> static __device__ __forceinline__ Two extreme(Two a, W... others) {
    if constexpr (MAX)
        return greater(a, others...);
    else
        return lesser(a, others...);
}

/* Two halves from half `i` of a stream on. No result needs halves beyond its ends. */
template <int N> static __device__ __forceinline__ Two halves(const Two (&stream)[N], int i) {
    const int at = i < 0 ? 0 : i, first = at / 2 < N ? at / 2 : N - 1, second = at / 2 + 1 < N ? at / 2 + 1 : N - 1;
    return at % 2 == 0 ? stream[first] : Two{__byte_perm(stream[first].bits, stream[second].bits, 0x5432)};
}

/* Bytes of a row: even ones, and odd ones. */
template <int N> struct Streams { Two even[N], odd[N]; };

/* Two bytes two apart, from byte `i` on. */
template <int N> static __device__ __forceinline__ Two bytes_at(const Streams<N> &streams, int i) {
    return i % 2 == 0 ? halves(streams.even, i / 2) : halves(streams.odd, (i - 1) / 2);
}

/* Extrema of COUNT runs, STEP halves apart, of which RUN are together so far. */
template <bool MAX, int STEP, int COUNT, int RUN, int N>
static __device__ __forceinline__ void join(const Two (&runs)[N], Two (&joined)[N]) {
    if constexpr (COUNT <= RUN) {
#pragma unroll
        for (int w = 0; w < N; w++)
            joined[w] = runs[w];
    } else if constexpr (COUNT <= 3 * RUN) {
        enum { LAST = COUNT - RUN, MIDDLE = (LAST + 1) / 2 };
#pragma unroll
        for (int w = 0; w < N; w++)
            joined[w] = COUNT <= 2 * RUN ? extreme<MAX>(runs[w], halves(runs, 2 * w + LAST * STEP))
                                         : extreme<MAX>(runs[w], halves(runs, 2 * w + MIDDLE * STEP),
                                                        halves(runs, 2 * w + LAST * STEP));
    } else {
        Two longer[N];
#pragma unroll
        for (int w = 0; w < N; w++)
            longer[w] = extreme<MAX>(runs[w], halves(runs, 2 * w + RUN * STEP), halves(runs, 2 * w + 2 * RUN * STEP));
        join<MAX, STEP, COUNT, 3 * RUN>(longer, joined);
    }
}

/* The extrema of K bytes, C apart, around each of a thread's own. */
template <bool MAX, int C, int K, int N>
static __device__ __forceinline__ void along(const Streams<N> &streams, Streams<OWN> &results) {
    enum { FIRST = Layout<C, K>::LEFT * 4, RADIUS = K / 2, REACH = RADIUS * C };
    Two joined[N];
    if constexpr (C % 2 == 1 && RADIUS % 2 == 1) { /* pairs of an even byte and the odd one C behind it */
        Two pairs[N];
#pragma unroll
        for (int w = 0; w < N; w++)
            pairs[w] = extreme<MAX>(streams.even[w], bytes_at(streams, 4 * w + C));
        join<MAX, C, RADIUS, 1>(pairs, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++) {
            const int even = FIRST + 4 * w, odd = even + 1;
            results.even[w] = extreme<MAX>(bytes_at(streams, even - REACH), halves(joined, (even - REACH + C) / 2));
            results.odd[w] = extreme<MAX>(bytes_at(streams, odd + REACH), halves(joined, (odd - REACH) / 2));
        }
    } else if constexpr (C % 2 == 0) {
        join<MAX, C / 2, K, 1>(streams.even, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++)
            results.even[w] = halves(joined, (FIRST + 4 * w - REACH) / 2);
        join<MAX, C / 2, K, 1>(streams.odd, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++)
            results.odd[w] = halves(joined, (FIRST + 4 * w - REACH) / 2);
    } else {
#pragma unroll
        for (int w = 0; w < OWN; w++)
#pragma unroll
            for (int odd = 0; odd < 2; odd++) {
                const int middle = FIRST + 4 * w + odd;
                Two found = bytes_at(streams, middle);
#pragma unroll
                for (int i = C; i <= REACH; i += C)
                    found = extreme<MAX>(found, bytes_at(streams, middle - i), bytes_at(streams, middle + i));
                (odd ? results.odd : results.even)[w] = found;
            }
    }
}

static __device__ __forceinline__ uint32_t packed(const Streams<OWN> &streams, int w) {
    return __byte_perm(streams.even[w].bits, streams.odd[w].bits, 0x7351);
}
template <int N> static __device__ __forceinline__ void unpack(Streams<N> &streams, int w, uint32_t word) {
    streams.even[w].bits = word << 8;
    streams.odd[w].bits = word;
}

static __device__ __forceinline__ void store(uint8_t *to, int count, const Streams<OWN> &results) {
    uint4 words = make_uint4(packed(results, 0), packed(results, 1), packed(results, 2), packed(results, 3));
    if (count >= OWN * 4)
        __stcs((uint4 *)to, words);
    else
#pragma unroll 1
        for (; count > 0; count--) {
            *to++ = (uint8_t)words.x;
            words.x = __funnelshift_r(words.x, words.y, 8);
            words.y = __funnelshift_r(words.y, words.z, 8);
            words.z = __funnelshift_r(words.z, words.w, 8);
            words.w >>= 8;
        }
}

template <bool MAX, int C, int K>
__global__ void __launch_bounds__(THREADS)
    morphology_march(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows) {
    typedef Layout<C, K> L;
    const int value = (blockIdx.x * THREADS + threadIdx.x) * OWN * 4;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    __shared__ int lines[ROWS_MAX + ROWS_BEYOND_MAX];
    list_rows<K, L::AHEAD>(edges, top, bottom, in.height, THREADS, lines);
    __syncthreads();
    if (value >= out.width * C)
        return;
    const int count = out.width * C - value;
    uint8_t *to = row_to<uint8_t>(out, top) + value;
    Arriving<uint8_t, L, L::AHEAD> arriving;
    arriving.begin(edges, source_of<uint8_t>(in, sides, blockIdx.x * THREADS + threadIdx.x), lines);
    uint32_t to_end[K][OWN]; /* extrema from a row to the end of its block */
    /* Rows of blocks of K, the first of which makes no results but the last. */
    for (int block = top - K + 1; block < bottom; block += K) {
        Streams<OWN> begun; /* extrema from the begin of the block that enters */
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int y = block + k; /* the result's row; the row that enters is half a window further down */
            Streams<L::WORDS> streams;
            Streams<OWN> entered, results;
#pragma unroll
            for (int w = 0; w < L::WORDS; w++)
                unpack(streams, w, arriving.next[0][w]);
            arriving.shift(edges);
            along<MAX, C, K>(streams, entered);
#pragma unroll
            for (int w = 0; w < OWN; w++) {
                begun.even[w] = k > 0 ? extreme<MAX>(begun.even[w], entered.even[w]) : entered.even[w];
                begun.odd[w] = k > 0 ? extreme<MAX>(begun.odd[w], entered.odd[w]) : entered.odd[w];
                unpack(results, w, to_end[k + 1 < K ? k + 1 : k][w]);
                results.even[w] = k + 1 < K ? extreme<MAX>(results.even[w], begun.even[w]) : begun.even[w];
                results.odd[w] = k + 1 < K ? extreme<MAX>(results.odd[w], begun.odd[w]) : begun.odd[w];
                to_end[k][w] = packed(entered, w);
            }
            if (y >= top) {
                store(to, count, results);
                to += out.stride;
                if (y + 1 == bottom)
                    return;
            }
        }
        Streams<OWN> ended;
#pragma unroll
        for (int k = K; k-- > 0;)
#pragma unroll
            for (int w = 0; w < OWN; w++) {
                Streams<OWN> row;
                unpack(row, w, to_end[k][w]);
                ended.even[w] = k + 1 < K ? extreme<MAX>(ended.even[w], row.even[w]) : row.even[w];
                ended.odd[w] = k + 1 < K ? extreme<MAX>(ended.odd[w], row.odd[w]) : row.odd[w];
                to_end[k][w] = packed(ended, w);
            }
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const Mask *element = morphology_job(stage)->element;
    *why_not = "it is compiled for u8 alone";
    if (stage->out.shape.type != PIXEL_U8)
        return false;
    *why_not = "only squares of 3, 5, 7 and 15 pixels are compiled";
    return element_is_box(element) && element->width == element->height &&
           (element->width == 3 || element->width == 5 || element->width == 7 || element->width == 15);
}

#define MARCH(MAX, C, K)                                                                                               \
    { (const void *)morphology_march<MAX, C, K>, OWN * 4, Layout<C, K>::LEFT * 4 }
#define BY_SIZE(MAX, C)                                                                                                \
    { MARCH(MAX, C, 3), MARCH(MAX, C, 5), MARCH(MAX, C, 7), MARCH(MAX, C, 15) }
#define BY_CHANNELS(MAX)                                                                                               \
    { BY_SIZE(MAX, 1), BY_SIZE(MAX, 2), BY_SIZE(MAX, 3), BY_SIZE(MAX, 4) }

static Marching marching_of(const Stage *stage) {
    enum { CHANNELS = 4, SIZES = 4 };
    static const Marching marchings[2][CHANNELS][SIZES] = {BY_CHANNELS(false), BY_CHANNELS(true)};
    const MorphologyJob *job = morphology_job(stage);
    const int size = job->element->width;
    return marchings[job->maximum][stage->out.shape.channels - 1][size == 15 ? 3 : size / 2 - 1];
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return sides_bytes(stage->out.shape, OWN * 4, marching_of(stage).left);
}

static Status run(Queue *queue, const Stage *stage) {
    return march_rows<uint8_t>(queue, "morphology march", "morphology march, sides", stage, marching_of(stage), THREADS,
                               morphology_job(stage)->border, NULL);
}

extern "C" const Level cuda_morphology_march = {
    .op = &op_morphology,
    .name = "march",
    .idea =
        "small squares in registers: threads march down the picture; each row takes the place of the one that leaves",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
