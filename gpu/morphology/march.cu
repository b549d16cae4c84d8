/* march.cu: small squares in registers. A thread marches down 16 bytes of each row. Along the row, extrema of runs are
 * made of shorter ones, and two windows that are neighbours share all but their ends. Down the columns, each row takes
 * the place of the one that leaves (M. van Herk, Pattern Recognition Letters 13, 1992; J. Gil and M. Werman, IEEE PAMI
 * 15, 1993). Values of more than a byte have no kernels of their own for maxima: all bits are turned over on the way in
 * and out. */
#include "gpu/morphology/row.cuh"
#include "gpu/rows.cuh"

extern "C" {
#include "core/ops/morphology.h"
}

enum { THREADS = 128, OWN = 4 /* words of a thread */ };

template <typename T, int C, int K> struct Layout : RowWords<OWN, K / 2 * C *(int)sizeof(T)> {
    enum { AHEAD = C == 1 ? 3 : 2 /* rows on their way */ };
};

template <typename W> struct Each {
    enum { VALUES = 1 };
};
template <> struct Each<Two> {
    enum { VALUES = 2 };
};

/* Value `i` of a stream: a half, or a key. */
template <int N> static __device__ __forceinline__ Two value_at(const Two (&stream)[N], int i) {
    return halves(stream, i);
}
template <int N> static __device__ __forceinline__ One value_at(const One (&stream)[N], int i) {
    return stream[i < 0 ? 0 : i < N ? i : N - 1];
}

/* Extrema of COUNT runs, STEP values apart, of which RUN are together so far. */
template <bool MAX, int STEP, int COUNT, int RUN, int N, typename W>
static __device__ __forceinline__ void join(const W (&runs)[N], W (&joined)[N]) {
    enum { EACH = Each<W>::VALUES };
    if constexpr (COUNT <= RUN) {
#pragma unroll
        for (int w = 0; w < N; w++)
            joined[w] = runs[w];
    } else if constexpr (COUNT <= 3 * RUN) {
        enum { LAST = COUNT - RUN, MIDDLE = (LAST + 1) / 2 };
#pragma unroll
        for (int w = 0; w < N; w++)
            joined[w] = COUNT <= 2 * RUN ? extreme<MAX>(runs[w], value_at(runs, EACH * w + LAST * STEP))
                                         : extreme<MAX>(runs[w], value_at(runs, EACH * w + MIDDLE * STEP),
                                                        value_at(runs, EACH * w + LAST * STEP));
    } else {
        W longer[N];
#pragma unroll
        for (int w = 0; w < N; w++)
            longer[w] =
                extreme<MAX>(runs[w], value_at(runs, EACH * w + RUN * STEP), value_at(runs, EACH * w + 2 * RUN * STEP));
        join<MAX, STEP, COUNT, 3 * RUN>(longer, joined);
    }
}

/* The extrema of K values, C apart, around each of a thread's own. */
template <bool MAX, int C, int K, int LEFT, int N>
static __device__ __forceinline__ void along(const Row<uint8_t, N> &row, Row<uint8_t, OWN> &results) {
    enum { FIRST = LEFT * 4, RADIUS = K / 2, REACH = RADIUS * C };
    Two joined[N];
    if constexpr (C % 2 == 0) {
        join<MAX, C / 2, K, 1>(row.even, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++)
            results.even[w] = halves(joined, (FIRST + 4 * w - REACH) / 2);
        join<MAX, C / 2, K, 1>(row.odd, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++)
            results.odd[w] = halves(joined, (FIRST + 4 * w - REACH) / 2);
    } else if constexpr (RADIUS != 2) { /* pairs of an even byte and the odd one C behind it */
        Two pairs[N];
#pragma unroll
        for (int w = 0; w < N; w++)
            pairs[w] = extreme<MAX>(row.even[w], row.bytes_at(4 * w + C));
        join<MAX, C, RADIUS, 1>(pairs, joined);
#pragma unroll
        for (int w = 0; w < OWN; w++)
#pragma unroll
            for (int odd = 0; odd < 2; odd++) {
                /* The pairs begin with the window's first byte where that is even, else behind it. */
                const int first = FIRST + 4 * w + odd - REACH, begins = first % 2 == 0 ? first : first + C;
                (odd ? results.odd : results.even)[w] =
                    extreme<MAX>(row.bytes_at(begins == first ? first + 2 * REACH : first), halves(joined, begins / 2));
            }
    } else {
#pragma unroll
        for (int w = 0; w < OWN; w++)
#pragma unroll
            for (int odd = 0; odd < 2; odd++) {
                const int middle = FIRST + 4 * w + odd;
                Two found = row.bytes_at(middle);
#pragma unroll
                for (int i = C; i <= REACH; i += C)
                    found = extreme<MAX>(found, row.bytes_at(middle - i), row.bytes_at(middle + i));
                (odd ? results.odd : results.even)[w] = found;
            }
    }
}
template <bool MAX, int C, int K, int LEFT, int N>
static __device__ __forceinline__ void along(const Row<uint16_t, N> &row, Row<uint16_t, OWN> &results) {
    Two joined[N];
    join<MAX, C, K, 1>(row.pair, joined);
#pragma unroll
    for (int w = 0; w < OWN; w++)
        results.pair[w] = halves(joined, (LEFT + w) * 2 - K / 2 * C);
}
template <bool MAX, int C, int K, int LEFT, int N>
static __device__ __forceinline__ void along(const Row<float, N> &row, Row<float, OWN> &results) {
    One joined[N];
    join<MAX, C, K, 1>(row.key, joined);
#pragma unroll
    for (int w = 0; w < OWN; w++)
        results.key[w] = value_at(joined, LEFT + w - K / 2 * C);
}

/* Leaves `count` bytes. */
static __device__ __forceinline__ void store(unsigned char *to, int count, uint4 words) {
    if (count >= OWN * 4)
        __stcs((uint4 *)to, words);
    else
#pragma unroll 1
        for (; count > 0; count--) {
            *to++ = (unsigned char)words.x;
            words.x = __funnelshift_r(words.x, words.y, 8);
            words.y = __funnelshift_r(words.y, words.z, 8);
            words.z = __funnelshift_r(words.z, words.w, 8);
            words.w >>= 8;
        }
}

template <typename T> static __device__ __forceinline__ uint32_t turned(uint32_t word, uint32_t flip) {
    if constexpr (sizeof(T) == 1)
        return word;
    else
        return word ^ flip;
}
template <typename T> static __device__ __forceinline__ uint32_t read_word(uint32_t word, uint32_t flip) {
    return turned<T>(sizeof(T) == 4 ? (uint32_t)order_key((int)word) : word, flip);
}
template <typename T> static __device__ __forceinline__ uint32_t written_word(uint32_t word, uint32_t flip) {
    word = turned<T>(word, flip);
    return sizeof(T) == 4 ? (uint32_t)order_bits((int)word) : word;
}

template <typename T, bool MAX, int C, int K>
__global__ void __launch_bounds__(THREADS)
    morphology_march(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows,
                     uint32_t flip) {
    typedef Layout<T, C, K> L;
    const int byte = (blockIdx.x * THREADS + threadIdx.x) * OWN * 4, count = out.width * C * (int)sizeof(T) - byte;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    __shared__ int lines[ROWS_MAX + ROWS_BEYOND_MAX];
    list_rows<K, L::AHEAD>(edges, top, bottom, in.height, THREADS, lines);
    __syncthreads();
    if (count <= 0)
        return;
    unsigned char *to = row_to<unsigned char>(out, top) + byte;
    Arriving<T, L, L::AHEAD> arriving;
    arriving.begin(edges, source_of<T>(in, sides, blockIdx.x * THREADS + threadIdx.x), lines);
    uint32_t to_end[K][OWN]; /* extrema from a row to the end of its block */
    /* Rows of blocks of K, the first of which makes no results but the last. */
    for (int block = top - K + 1; block < bottom; block += K) {
        Row<T, OWN> begun; /* extrema from the begin of the block that enters */
#pragma unroll
        for (int k = 0; k < K; k++) {
            const int y = block + k; /* the result's row; the row that enters is half a window further down */
            Row<T, L::WORDS> row;
            Row<T, OWN> entered, results;
#pragma unroll
            for (int w = 0; w < L::WORDS; w++)
                row.put(w, read_word<T>(arriving.next[0][w], flip));
            arriving.shift(edges);
            along<MAX, C, K, L::LEFT>(row, entered);
            if (k == 0)
                begun = entered;
#pragma unroll
            for (int w = 0; w < OWN; w++) {
                if (k > 0)
                    begun.template meet<MAX>(w, entered, 4 * w);
                if (k + 1 < K) {
                    results.put(w, to_end[k + 1][w]);
                    results.template meet<MAX>(w, begun, 4 * w);
                } else
                    results.put(w, begun.word(w));
                to_end[k][w] = entered.word(w);
            }
            if (y >= top) {
                uint32_t words[OWN];
#pragma unroll
                for (int w = 0; w < OWN; w++)
                    words[w] = written_word<T>(results.word(w), flip);
                store(to, count, make_uint4(words[0], words[1], words[2], words[3]));
                to += out.stride;
                if (y + 1 == bottom)
                    return;
            }
        }
        Row<T, OWN> ended;
#pragma unroll
        for (int k = K; k-- > 0;)
#pragma unroll
            for (int w = 0; w < OWN; w++) {
                Row<T, 1> row;
                row.put(0, to_end[k][w]);
                if (k + 1 < K)
                    ended.template meet<MAX>(w, row, 0);
                else
                    ended.put(w, to_end[k][w]);
                to_end[k][w] = ended.word(w);
            }
    }
}

#define MARCH(T, MAX, C, K)                                                                                            \
    {                                                                                                                  \
        (const void *)morphology_march<T, MAX, C, K>, OWN * 4 / (int)sizeof(T),                                        \
            Layout<T, C, K>::LEFT * 4 / (int)sizeof(T)                                                                 \
    }
#define UP_TO_15(T, MAX, C)                                                                                            \
    {                                                                                                                  \
        MARCH(T, MAX, C, 3), MARCH(T, MAX, C, 5), MARCH(T, MAX, C, 7), MARCH(T, MAX, C, 9), MARCH(T, MAX, C, 11),      \
            MARCH(T, MAX, C, 13), MARCH(T, MAX, C, 15)                                                                 \
    }
#define UP_TO_7(T, C)                                                                                                  \
    { MARCH(T, false, C, 3), MARCH(T, false, C, 5), MARCH(T, false, C, 7) }
#define UP_TO_3(T, C)                                                                                                  \
    { MARCH(T, false, C, 3) }

/* The kernel for a job, or one of NULL. */
static Marching marching_of(const Stage *stage) {
    enum { CHANNELS = 4, SIZES = 7 };
    static const Marching u8[2][CHANNELS][SIZES] = {{UP_TO_15(uint8_t, false, 1), UP_TO_15(uint8_t, false, 2),
                                                     UP_TO_15(uint8_t, false, 3), UP_TO_15(uint8_t, false, 4)},
                                                    {UP_TO_15(uint8_t, true, 1), UP_TO_15(uint8_t, true, 2),
                                                     UP_TO_15(uint8_t, true, 3), UP_TO_15(uint8_t, true, 4)}};
    static const Marching u16[CHANNELS][SIZES] = {UP_TO_7(uint16_t, 1), UP_TO_7(uint16_t, 2), UP_TO_7(uint16_t, 3),
                                                  UP_TO_7(uint16_t, 4)};
    static const Marching f32[CHANNELS][SIZES] = {UP_TO_3(float, 1), UP_TO_3(float, 2), UP_TO_3(float, 3),
                                                  UP_TO_3(float, 4)};
    const MorphologyJob *job = morphology_job(stage);
    const Mask *element = job->element;
    const int size = element->width, c = stage->out.shape.channels - 1;
    const Marching none = {NULL, 0, 0};
    if (!element_is_box(element) || element->height != size || size % 2 == 0 || size < 3 || size > 15)
        return none;
    return for_keys(stage, u8[job->maximum][c], u16[c], f32[c])[size / 2 - 1];
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it has odd squares of 3 to 15 pixels in u8, to 7 in u16, and of 3 in f32";
    return marching_of(stage).kernel != NULL;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    const Marching marching = marching_of(stage);
    return sides_bytes(stage->out.shape, marching.own, marching.left);
}

static Status run(Queue *queue, const Stage *stage) {
    static Status (*const marches[PIXEL_TYPES])(Queue *, const char *, const char *, const Stage *, const Marching &,
                                                int, Border, void *) = {march_rows<uint8_t>, march_rows<uint16_t>,
                                                                        march_rows<float>};
    const MorphologyJob *job = morphology_job(stage);
    uint32_t flip = job->maximum ? ~0U : 0;
    return marches[stage->out.shape.type](queue, "morphology march", "morphology march, sides", stage,
                                          marching_of(stage), THREADS, job->border, &flip);
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
