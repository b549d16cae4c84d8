/* march.cuh: a warp that marches down a strip of 8 groups of 32 bytes, 8 rows a step. Owns how rows get into the warp's
 * own ring in shared memory and from there into matrices for the tensor cores. */
#ifndef GLINT_GPU_CONVOLVE_MARCH_CUH
#define GLINT_GPU_CONVOLVE_MARCH_CUH

#include "gpu/convolve/fixed_point.cuh"

#include <cuda_pipeline.h>

enum {
    CHUNK = 16, /* bytes that are loaded at a time */
    GROUPS = 8,
    WORDS = 8, /* of a group in a row */
    BYTES = 4 * WORDS,
    STRIP_BYTES = GROUPS * BYTES,
    STEP_ROWS = 8,
    PITCH = STRIP_BYTES + 3 * CHUNK, /* of rows in shared memory, with a chunk to each side */
    STAGE_BYTES = STEP_ROWS * PITCH,
    EDGE = 32 /* pixels beyond the picture that sums reach */
};

/* start + a * b, 16 x 16 times 16 x 8. Rows 0 to 7 of `a` are the upper bytes of weights, rows 8 to 15 the lower. */
static __device__ __forceinline__ void multiply(int (&sums)[4], const int (&start)[4], uint2 a, uint32_t b) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(b), "r"(start[0]), "r"(start[1]), "r"(start[2]), "r"(start[3]));
#endif
}

/* Adds the weight of column `k` to a lane's four of both bytes. Lane / 4 is the row, lane % 4 has four columns (PTX
 * ISA, matrix fragments for mma.m16n8k16 of bytes). The upper and the lower byte are signed. */
static inline void put_weight(int weight, int k, uint2 *lane) {
    const int low = ((weight & 255) ^ 128) - 128;
    lane->x |= (uint32_t)((weight - low) / 256 & 255) << 8 * k;
    lane->y |= (uint32_t)(low & 255) << 8 * k;
}

/* The pixels that stand for the nearest ones beyond a row's ends; -1: the border's value. */
typedef struct Edges {
    int before[EDGE], after[EDGE];
} Edges;

static inline Edges edges_of(const Sum &job, int width) {
    Edges edges;
    for (int i = 0; i < EDGE; i++) {
        edges.before[i] = (int)border_index(job.border, -1 - i, width);
        edges.after[i] = (int)border_index(job.border, width + i, width);
    }
    return edges;
}

/* Begins to bring the chunk at byte `at` of a row into shared memory. It brings nothing where the chunk lies beyond the
 * picture's sides: a row's last chunk may reach into its padding. `row`: NULL where the border's value stands. */
static __device__ __forceinline__ void fetch_chunk(const Sum &job, const uint8_t *row, int bytes, int at, uint8_t *to) {
    const uint32_t word = (uint32_t)job.outside * 0x01010101;
    if (at < 0 || at >= bytes)
        return;
    if (row)
        __pipeline_memcpy_async(to, row + at, CHUNK);
    else
        *(uint4 *)to = make_uint4(word, word, word, word);
}

/* Row y, wherever that is; NULL for the border's value. */
static __device__ __forceinline__ const uint8_t *border_row(const Plane &in, const Sum &job, int y) {
    const int sy = inside_index(job.border, y, in.height);
    return sy < 0 ? NULL : row_of<uint8_t>(in, sy);
}

/* Fills in pixels beyond a side of the picture, in 8 rows that have arrived in shared memory. There are REACH of them
 * from `first` on, as `edges` has them. The first byte of a row here is byte `left` of the picture's row. By `threads`
 * threads. */
template <int C, int REACH, int ROW_BYTES, int ROW_PITCH>
static __device__ __noinline__ void mend_side(const Plane &in, const Sum &job, const int *edges, int direction,
                                              int first, int left, int y, uint8_t *stage, int thread, int threads) {
    for (int i = thread; i < STEP_ROWS * REACH * C; i += threads) {
        const int row = i / (REACH * C), value = i % (REACH * C), c = value % C;
        const int to = (first + direction * (value / C)) * C + c - left, sx = edges[value / C];
        const int from = sx * C + c - left;
        if ((unsigned)to >= ROW_BYTES)
            continue;
        const uint8_t *line = border_row(in, job, y + row);
        stage[row * ROW_PITCH + to] = sx < 0 || !line              ? (uint8_t)job.outside
                                      : (unsigned)from < ROW_BYTES ? stage[row * ROW_PITCH + from]
                                                                   : line[sx * C + c];
    }
}

/* A chunk with a part beyond the row's ends, from byte `at` on, for four channels: few enough words to fill in at once.
 * Pixels farther away are never needed. */
static __device__ __noinline__ void fill_chunk(const uint8_t *row, const Sum &job, const Edges &edges, int width,
                                               int at, uint8_t *to) {
    enum { C = 4, PARTS = CHUNK / C };
    uint32_t parts[PARTS];
#pragma unroll
    for (int i = 0; i < PARTS; i++) {
        const int value = at + i * C;
        const int pixel = (value + CHUNK * C) / C - CHUNK; /* rounds down for negatives, too */
        const int sx = pixel < 0        ? edges.before[min(-1 - pixel, EDGE - 1)]
                       : pixel >= width ? edges.after[min(pixel - width, EDGE - 1)]
                                        : pixel;
        parts[i] = (uint32_t)job.outside * 0x01010101;
        if (row && sx >= 0)
            parts[i] = *(const uint32_t *)(row + sx * C);
    }
    *(uint4 *)to = *(const uint4 *)parts;
}

template <int C>
static __device__ __forceinline__ void fetch_outside(const Plane &in, const Sum &job, const Edges &edges, int at, int y,
                                                     uint8_t *to) {
    const uint8_t *row = border_row(in, job, y);
    if constexpr (C < 4)
        fetch_chunk(job, row, in.width * C, at, to);
    else if (row && at >= 0 && at + CHUNK <= in.width * C)
        __pipeline_memcpy_async(to, row + at, CHUNK);
    else
        fill_chunk(row, job, edges, in.width, at, to);
}

/* Begins to bring 8 rows of the strip from byte `left` on, and a chunk to each side. A half warp takes a row. */
template <int C, bool SIDES>
static __device__ __forceinline__ void fetch_step(const Plane &in, const Sum &job, const Edges &edges, int left, int y,
                                                  uint8_t *stage) {
    const int lane = threadIdx.x % 32, at = lane % 16 * CHUNK, row = lane / 16;
    const int side = lane % 2 ? STRIP_BYTES : -CHUNK, side_row = lane / 2;
    if (left >= CHUNK && left + STRIP_BYTES + CHUNK <= in.width * C && y >= 0 && y + STEP_ROWS <= in.height) {
        const uint8_t *from = row_of<uint8_t>(in, y + row) + left + at;
        uint8_t *to = stage + row * PITCH + CHUNK + at;
#pragma unroll
        for (int i = 0; i < STEP_ROWS; i += 2, from += 2 * in.stride)
            __pipeline_memcpy_async(to + i * PITCH, from, CHUNK);
        if (SIDES && lane < 2 * STEP_ROWS)
            __pipeline_memcpy_async(stage + side_row * PITCH + CHUNK + side,
                                    row_of<uint8_t>(in, y + side_row) + left + side, CHUNK);
    } else {
#pragma unroll 1
        for (int i = row; i < STEP_ROWS; i += 2)
            fetch_outside<C>(in, job, edges, left + at, y + i, stage + i * PITCH + CHUNK + at);
        if (SIDES && lane < 2 * STEP_ROWS)
            fetch_outside<C>(in, job, edges, left + side, y + side_row, stage + side_row * PITCH + CHUNK + side);
    }
}

/* Fills in the part of these rows beyond the picture's sides, once they have arrived. */
template <int C, int REACH>
static __device__ __forceinline__ void mend_step(const Plane &in, const Sum &job, const Edges &edges, int left, int y,
                                                 uint8_t *stage) {
    enum { ROW_BYTES = STRIP_BYTES + 2 * CHUNK };
    if (left >= CHUNK && left + STRIP_BYTES + CHUNK <= in.width * C)
        return;
    if (left < CHUNK)
        mend_side<C, REACH, ROW_BYTES, PITCH>(in, job, edges.before, -1, -1, left - CHUNK, y, stage, threadIdx.x % 32,
                                              32);
    __syncwarp();
    mend_side<C, REACH, ROW_BYTES, PITCH>(in, job, edges.after, 1, in.width, left - CHUNK, y, stage, threadIdx.x % 32,
                                          32);
    __syncwarp();
}

template <int N> static __device__ __forceinline__ void load_words(const uint8_t *from, uint32_t *to) {
    if constexpr (N == 1)
        *to = *(const uint32_t *)from;
    else if constexpr (N == 2)
        *(uint2 *)to = *(const uint2 *)from;
    else
#pragma unroll
        for (int i = 0; i < N; i += 4)
            *(uint4 *)&to[i] = *(const uint4 *)&from[4 * i];
}

#endif
