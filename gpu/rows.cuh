/* rows.cuh: threads that march down a picture with some words of each row in registers. A row's words are on their way
 * while those before it are worked on. A table says which rows follow one another, so that no thread tests for the
 * border. */
#ifndef GLINT_GPU_ROWS_CUH
#define GLINT_GPU_ROWS_CUH

#include "gpu/order.cuh"

enum { ROWS_MAX = 1024 /* of a block */, ROWS_BEYOND_MAX = 32 /* read besides them */ };

/* A thread's words of a row: its OWN, and those with the REACH bytes to each side. */
template <int OWN_WORDS, int REACH> struct RowWords {
    enum {
        OWN = OWN_WORDS,
        SIDE = (REACH + 3) / 4,
        LEFT = SIDE == 3   ? 4
               : SIDE == 5 ? 6
                           : SIDE, /* for wide loads */
        WORDS = LEFT + OWN + SIDE
    };
};

/* The rows that a block reads for those from `top` to `bottom` of a window of K; the last once more for each of AHEAD.
 */
template <int K, int AHEAD>
static __device__ __forceinline__ void list_rows(const Edges &edges, int top, int bottom, int height, int threads,
                                                 int *lines) {
    for (int i = threadIdx.x; i < bottom - top + K - 1 + AHEAD; i += threads)
        lines[i] = edge_index(edges, min(top - K / 2 + i, bottom + K / 2 - 1), height);
}

/* AHEAD rows of pixels T on their way to a thread, which reads the part of each that L tells. */
template <typename T, typename L, int AHEAD> struct Arriving {
    uint32_t next[AHEAD][L::WORDS];
    const int *line;
    Source source;

    __device__ __forceinline__ void fetch(const Edges &edges, int y, uint32_t *words) const {
        if (y >= 0)
            load_words<0, L::WORDS, L::LEFT, L::OWN>(
                (const uint32_t *)(source.origin + (size_t)y * source.stride) - L::LEFT, words);
        else
#pragma unroll
            for (int i = 0; i < L::WORDS; i++)
                words[i] = outside_word<T>(edges);
    }
    __device__ __forceinline__ void begin(const Edges &edges, const Source &from, const int *lines) {
        source = from;
        line = lines + AHEAD;
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            fetch(edges, lines[i], next[i]);
    }
    /* Once next[0] has been used. */
    __device__ __forceinline__ void shift(const Edges &edges) {
#pragma unroll
        for (int i = 0; i + 1 < AHEAD; i++)
#pragma unroll
            for (int w = 0; w < L::WORDS; w++)
                next[i][w] = next[i + 1][w];
        fetch(edges, *line++, next[AHEAD - 1]);
    }
};

/* A kernel that marches, the values of a row that its threads own, and those that they read on each side. */
typedef struct Marching {
    const void *kernel;
    int own, left;
} Marching;

/* Runs it on pixels T, with blocks of `threads`: kernel(in, out, edges, sides, rows, job), where `rows` are those of a
 * block. */
template <typename T>
static Status march_rows(Queue *queue, const char *where, const char *where_sides, const Stage *stage,
                         const Marching &marching, int threads, Border border, void *job) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(border, stage->in[0].shape.type);
    Sides sides;
    int rows;
    TRY(make_sides<T>(queue, where_sides, stage, edges, marching.own, marching.left, &sides));
    const unsigned across = blocks_for(out.width * stage->out.shape.channels, marching.own * threads);
    TRY(rows_at_once(queue, marching.kernel, threads, 0, across, out.height, 1, &rows));
    rows = rows < ROWS_MAX ? rows : ROWS_MAX;
    const Launch launch = {dim3(across, blocks_for(out.height, rows)), dim3((unsigned)threads), 0};
    void *arguments[] = {&in, &out, &edges, &sides, &rows, job};
    return gpu_launch_early(queue, where, marching.kernel, launch, arguments);
}

#endif
