/* network.cu: medians of 3 x 3, 5 x 5 and 7 x 7 by sorting networks in registers (A. Adams, Fast median filters using
 * separable sorting networks, ACM Trans. Graphics 40(4), 2021).
 * A thread marches down a few columns. It sorts the window's part of each row once. Rows that follow one another are
 * merged in pairs, pairs with pairs, and values that cannot be the median any more are left out. The last row decides.
 * u8 and u16 are sorted two at a time, u8 in the upper halves of the words' halves: the bits below them change no
 * order. */
#include "gpu/order.cuh"
#include "gpu/rank/network.cuh"

extern "C" {
#include "core/ops/rank.h"
#include "gpu/rank/measured.h"
}

enum { THREADS = 128 };

/* How values lie in words of 4 bytes, and keys in words that are sorted. */
template <typename T> struct Packing {
    typedef Two Word;
    enum { PER_WORD = 4 / sizeof(T), KEYS = 2 };
};
template <> struct Packing<float> {
    typedef One Word;
    enum { PER_WORD = 1, KEYS = 1 };
};

/* A thread reads WORDS words of a row, LEFT of them before its own. A thread makes GROUP words of results. */
template <typename T, int C, int K, int GROUP> struct Layout {
    enum {
        REACH = K / 2 * C,
        PER_WORD = Packing<T>::PER_WORD,
        VALUES = GROUP * Packing<T>::KEYS,
        LEFT = (REACH + PER_WORD - 1) / PER_WORD,
        WORDS = 2 * LEFT + VALUES / PER_WORD,
        RAW = GROUP + 2 * REACH
    };
};

template <typename T, int C, int K, int GROUP>
static __device__ __forceinline__ void fetch(const Plane &in, const Edges &edges, const Source &source, int y,
                                             uint32_t *words) {
    typedef Layout<T, C, K, GROUP> L;
    const int sy = edge_index(edges, y, in.height);
    if (sy >= 0)
        load_words<0, L::WORDS, L::LEFT, L::VALUES / L::PER_WORD>(
            (const uint32_t *)(source.origin + (size_t)sy * source.stride) - L::LEFT, words);
    else
#pragma unroll
        for (int i = 0; i < L::WORDS; i++)
            words[i] = outside_word<T>(edges);
}

/* Value number `i` of the words, and the one GROUP behind it, as keys. */
template <typename T, int GROUP> static __device__ __forceinline__ Two key_word(const uint32_t *words, int i, Two) {
    const int per = 4 / sizeof(T), a = i % per, b = (i + GROUP) % per;
    if (sizeof(T) == 1) /* twice the same byte */
        return {__byte_perm(words[i / per], words[(i + GROUP) / per], a * 0x11 + (4 + b) * 0x1100)};
    return {__byte_perm(words[i / per], words[(i + GROUP) / per], (a ? 0x32 : 0x10) + (b ? 0x7600 : 0x5400))};
}
template <typename T, int GROUP> static __device__ __forceinline__ One key_word(const uint32_t *words, int i, One) {
    return {order_key((int)words[i])};
}

/* The window's part of one row, sorted, for each of the results. */
template <typename T, int C, int K, int GROUP, typename Word>
static __device__ __forceinline__ void sort_row(const uint32_t *words, Word (&sorted)[GROUP][K]) {
    typedef Layout<T, C, K, GROUP> L;
    Word raw[L::RAW];
#pragma unroll
    for (int i = 0; i < L::RAW; i++)
        raw[i] = key_word<T, GROUP>(words, L::LEFT * L::PER_WORD - L::REACH + i, Word{});
#pragma unroll
    for (int t = 0; t < GROUP; t++) {
        const bool first = t / C % 2 == 0 && t + C < GROUP, second = t / C % 2 == 1;
        if (K > 3 && first) { /* two neighbours share all but one */
            Word common[K - 1];
            sort<K - 1>(raw + t + C, C, common);
            insert<K - 1>(common, raw[t], sorted[t]);
            insert<K - 1>(common, raw[t + K * C], sorted[t + C < GROUP ? t + C : t]);
        } else if (K == 3 || !second)
            sort<K>(raw + t, C, sorted[t]);
    }
}

/* The values of results' words, one row. */
template <typename T, int GROUP>
static __device__ __forceinline__ void store(const Plane &out, int channels, int value, int y, const Two *results) {
    enum { PER_WORD = 4 / sizeof(T), WORDS = 2 * GROUP / PER_WORD };
    uint32_t words[WORDS];
#pragma unroll
    for (int w = 0; w < WORDS; w++) {
        uint32_t halves[2];
        if (sizeof(T) == 1) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int i = 4 * w + 2 * h, j = i + 1;
                halves[h] = __byte_perm(results[i % GROUP].bits, results[j % GROUP].bits,
                                        (i < GROUP ? 1 : 3) + (j < GROUP ? 0x50 : 0x70));
            }
            words[w] = __byte_perm(halves[0], halves[1], 0x5410);
        } else {
            const int i = 2 * w, j = i + 1;
            words[w] = __byte_perm(results[i % GROUP].bits, results[j % GROUP].bits,
                                   (i < GROUP ? 0x10 : 0x32) + (j < GROUP ? 0x5400 : 0x7600));
        }
    }
    T *row = row_to<T>(out, y);
    const int count = out.width * channels - value;
    if (count >= 2 * GROUP)
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            ((uint32_t *)(row + value))[w] = words[w];
    else
#pragma unroll
        for (int i = 0; i < 2 * GROUP; i++)
            if (i < count)
                row[value + i] = (T)(words[i / PER_WORD] >> (i % PER_WORD * 8 * sizeof(T)));
}
template <typename T, int GROUP>
static __device__ __forceinline__ void store(const Plane &out, int channels, int value, int y, const One *results) {
    float *row = row_to<float>(out, y);
    const int count = out.width * channels - value;
#pragma unroll
    for (int i = 0; i < GROUP; i++)
        if (i < count)
            row[value + i] = of_key<float>(results[i].key);
}

template <typename W, int G, int K> static __device__ __forceinline__ void copy(W (&to)[G][K], const W (&from)[G][K]) {
#pragma unroll
    for (int t = 0; t < G; t++)
#pragma unroll
        for (int k = 0; k < K; k++)
            to[t][k] = from[t][k];
}

#define COLUMN                                                                                                         \
    typedef typename Packing<T>::Word Word;                                                                            \
    typedef Layout<T, C, K, GROUP> L;                                                                                  \
    const int value = (blockIdx.x * THREADS + threadIdx.x) * L::VALUES;                                                \
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);                                           \
    if (value >= out.width * C)                                                                                        \
        return;                                                                                                        \
    const Source source = source_of<T>(in, sides, blockIdx.x * THREADS + threadIdx.x)

#define ROW(y, to)                                                                                                     \
    do {                                                                                                               \
        uint32_t words[L::WORDS];                                                                                      \
        fetch<T, C, K, GROUP>(in, edges, source, y, words);                                                            \
        sort_row<T, C, K, GROUP>(words, to);                                                                           \
    } while (0)

/* Rows a b, then c d with them: the results are those of b and c. */
template <typename T, int C, int GROUP>
__global__ void __launch_bounds__(THREADS)
    rank_network_3(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                   const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows) {
    enum { K = 3 };
    COLUMN;
    Word a[GROUP][K], b[GROUP][K];
    ROW(top - 1, a);
    ROW(top, b);
    uint32_t next[2][L::WORDS]; /* rows on their way while those before them are sorted */
    fetch<T, C, K, GROUP>(in, edges, source, top + 1, next[0]);
    fetch<T, C, K, GROUP>(in, edges, source, top + 2, next[1]);
    for (int y = top; y < bottom; y += 2) {
        Word c[GROUP][K], d[GROUP][K], results[2][GROUP];
        sort_row<T, C, K, GROUP>(next[0], c);
        sort_row<T, C, K, GROUP>(next[1], d);
        fetch<T, C, K, GROUP>(in, edges, source, min(y + 3, bottom), next[0]);
        fetch<T, C, K, GROUP>(in, edges, source, min(y + 4, bottom), next[1]);
#pragma unroll
        for (int t = 0; t < GROUP; t++) {
            const Word low = lesser(b[t][1], c[t][1]), high = greater(b[t][1], c[t][1]);
            results[0][t] = middle(greater(a[t][0], b[t][0], c[t][0]), greater(low, lesser(high, a[t][1])),
                                   lesser(a[t][2], b[t][2], c[t][2]));
            results[1][t] = middle(greater(b[t][0], c[t][0], d[t][0]), greater(low, lesser(high, d[t][1])),
                                   lesser(b[t][2], c[t][2], d[t][2]));
        }
        store<T, GROUP>(out, C, value, y, results[0]);
        if (y + 1 < bottom)
            store<T, GROUP>(out, C, value, y + 1, results[1]);
        copy(a, c);
        copy(b, d);
    }
}

/* Rows are a, a pair, a pair, f: the results are those in the middle. */
template <typename T, int C, int GROUP>
__global__ void __launch_bounds__(THREADS)
    rank_network_5(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                   const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows) {
    enum { K = 5 };
    COLUMN;
    Word a[GROUP][K], b[GROUP][K], e[GROUP][K], upper[GROUP][2 * K];
    {
        Word before[GROUP][K];
        ROW(top - 2, a);
        ROW(top - 1, before);
        ROW(top, b);
        ROW(top + 1, e);
#pragma unroll
        for (int t = 0; t < GROUP; t++)
            merge<K, K>(before[t], 1, b[t], 1, upper[t]);
    }
    uint32_t next[2][L::WORDS];
    fetch<T, C, K, GROUP>(in, edges, source, top + 2, next[0]);
    fetch<T, C, K, GROUP>(in, edges, source, top + 3, next[1]);
    for (int y = top; y < bottom; y += 2) {
        Word g[GROUP][K], f[GROUP][K], results[2][GROUP];
        sort_row<T, C, K, GROUP>(next[0], g);
        sort_row<T, C, K, GROUP>(next[1], f);
        fetch<T, C, K, GROUP>(in, edges, source, y + 4, next[0]);
        fetch<T, C, K, GROUP>(in, edges, source, y + 5, next[1]);
#pragma unroll
        for (int t = 0; t < GROUP; t++) {
            Word lower[2 * K], four[4 * K];
            merge<K, K>(e[t], 1, g[t], 1, lower);
            merge<2 * K, 2 * K>(upper[t], 1, lower, 1, four);
            results[0][t] = median_of_two<K>(four + 7, a[t]); /* numbers 7 to 12 of 20 may be number 12 of 25 */
            results[1][t] = median_of_two<K>(four + 7, f[t]);
#pragma unroll
            for (int k = 0; k < 2 * K; k++)
                upper[t][k] = lower[k];
        }
        store<T, GROUP>(out, C, value, y, results[0]);
        if (y + 1 < bottom)
            store<T, GROUP>(out, C, value, y + 1, results[1]);
        copy(a, b);
        copy(b, g);
        copy(e, f);
    }
}

/* Four results at a time: rows a, three pairs, and so on, the two pairs in the middle merged for all four. */
template <typename T, int C, int GROUP>
__global__ void __launch_bounds__(THREADS)
    rank_network_7(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                   const __grid_constant__ Edges edges, const __grid_constant__ Sides sides, int rows) {
    enum { K = 7 };
    COLUMN;
    Word a[GROUP][K], b[GROUP][K], d[GROUP][K], e[GROUP][K], p[GROUP][2 * K], q[GROUP][2 * K];
    {
        Word first[GROUP][K];
        ROW(top - 3, a);
        ROW(top - 2, first);
        ROW(top - 1, b);
#pragma unroll
        for (int t = 0; t < GROUP; t++)
            merge<K, K>(first[t], 1, b[t], 1, p[t]);
        ROW(top, first);
        ROW(top + 1, d);
        ROW(top + 2, e);
#pragma unroll
        for (int t = 0; t < GROUP; t++)
            merge<K, K>(first[t], 1, d[t], 1, q[t]);
    }
    for (int y = top; y < bottom; y += 4) { /* a: y - 3, p: y - 2 and b: y - 1, q: y and d: y + 1, e: y + 2 */
        Word g[GROUP][K], h[GROUP][K], i[GROUP][K], j[GROUP][K], results[4][GROUP];
        ROW(y + 3, g);
        ROW(y + 4, h);
        ROW(y + 5, i);
        ROW(y + 6, j);
#pragma unroll
        for (int t = 0; t < GROUP; t++) {
            Word r[2 * K], s[2 * K], four[4 * K], six[22 + 2 * K];
            merge<K, K>(e[t], 1, g[t], 1, r);
            merge<K, K>(h[t], 1, i[t], 1, s);
            merge<2 * K, 2 * K>(q[t], 1, r, 1, four);    /* numbers 3 to 24 of 28 may be number 24 of 49 */
            merge<22, 2 * K>(four + 3, 1, p[t], 1, six); /* numbers 17 to 24 of 42, 3 less here */
            results[0][t] = median_of_two<K>(six + 14, a[t]);
            results[1][t] = median_of_two<K>(six + 14, h[t]);
            merge<22, 2 * K>(four + 3, 1, s, 1, six);
            results[2][t] = median_of_two<K>(six + 14, b[t]);
            results[3][t] = median_of_two<K>(six + 14, j[t]);
#pragma unroll
            for (int k = 0; k < 2 * K; k++) {
                p[t][k] = r[k];
                q[t][k] = s[k];
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (y + k < bottom)
                store<T, GROUP>(out, C, value, y + k, results[k]);
        copy(a, d);
        copy(b, g);
        copy(d, i);
        copy(e, j);
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const RankJob *job = rank_job(stage);
    const Mask *window = job->window;
    *why_not = "only medians of 3 x 3, 5 x 5 and 7 x 7 have a network";
    return element_is_box(window) && window->width == window->height &&
           job->rank == window->width * window->width / 2 &&
           (window->width == 3 || window->width == 5 || window->width == 7);
}

/* A kernel and the values of a thread. */
typedef struct Network {
    const void *kernel;
    int values, left; /* left: values it reads on each side of its own */
} Network;

#define NETWORK(T, K, C, GROUP)                                                                                        \
    {                                                                                                                  \
        (const void *)rank_network_##K<T, C, GROUP>, (GROUP)*Packing<T>::KEYS,                                         \
            Layout<T, C, K, GROUP>::LEFT *Packing<T>::PER_WORD                                                         \
    }
#define NETWORKS(T, K, G1, G2, G3, G4)                                                                                 \
    { NETWORK(T, K, 1, G1), NETWORK(T, K, 2, G2), NETWORK(T, K, 3, G3), NETWORK(T, K, 4, G4) }

static const Network *network_of(const Stage *stage) {
    enum { SIZES = 3, CHANNELS = 4 };
    static const Network networks[PIXEL_TYPES][SIZES][CHANNELS] = {
        {NETWORKS(uint8_t, 3, 8, 8, 6, 8), NETWORKS(uint8_t, 5, 2, 4, 4, 4), NETWORKS(uint8_t, 7, 2, 2, 2, 2)},
        {NETWORKS(uint16_t, 3, 4, 4, 6, 4), NETWORKS(uint16_t, 5, 2, 4, 4, 4), NETWORKS(uint16_t, 7, 2, 2, 2, 2)},
        {NETWORKS(float, 3, 4, 4, 6, 4), NETWORKS(float, 5, 2, 4, 4, 4), NETWORKS(float, 7, 2, 2, 2, 2)},
    };
    const Shape shape = stage->out.shape;
    return &networks[shape.type][rank_job(stage)->window->width / 2 - 1][shape.channels - 1];
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    const Network *network = network_of(stage);
    return sides_bytes(stage->out.shape, network->values, network->left);
}

static Status run(Queue *queue, const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Network *network = network_of(stage);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(rank_job(stage)->border, shape.type);
    Sides sides;
    int rows;
    TRY(for_keys(stage, make_sides<uint8_t>, make_sides<uint16_t>, make_sides<float>)(
        queue, "rank network, sides", stage, edges, network->values, network->left, &sides));
    const unsigned across = blocks_for(out.width * shape.channels, network->values * THREADS);
    TRY(rows_at_once(queue, network->kernel, THREADS, 0, across, out.height, 4, &rows));
    const Launch launch = {dim3(across, blocks_for(out.height, rows)), dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &edges, &sides, &rows};
    return gpu_launch_early(queue, "rank network", network->kernel, launch, arguments);
}

extern "C" const Level cuda_rank_network = {
    .op = &op_rank,
    .name = "network",
    .idea = "small medians by sorting networks in registers: rows sorted once and merged in pairs, two keys a word",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &rank_measured,
    .run = run,
};
