/* strip.cuh: blocks that march down strips, 8 rows a step, for outer products on the tensor cores. Owns how rows get
 * into shared memory, and results out of it. A strip S is for pixels of PIXEL bytes and masks that reach REACH of them.
 * It has its WARPS with WARP_BYTES of results each, and HALO bytes more to read on each side. */
#ifndef GLINT_GPU_CONVOLVE_STRIP_CUH
#define GLINT_GPU_CONVOLVE_STRIP_CUH

#include "gpu/convolve/march.cuh"

enum { STAGES = 3, TILE = 8 /* pixels of a product */ };

/* The place of a block: the first row of the next step of results, the strip's end, and the next row to fetch. `stage`
 * is the one with the oldest rows. */
typedef struct StripPlace {
    int row, bottom, y, stage;
} StripPlace;

/* sums = start + a * b, 16 x 32 times 32 x 8. */
static __device__ __forceinline__ void multiply_deep(int (&sums)[4], const int (&start)[4], uint32_t a0, uint32_t a1,
                                                     uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "r"(start[0]), "r"(start[1]), "r"(start[2]),
          "r"(start[3]));
#endif
}

/* Begins to bring 8 rows of the strip, from byte `left` on, into shared memory. */
template <typename S>
static __device__ __forceinline__ void fetch_rows(const Plane &in, const Sum &job, int left, int y, uint8_t *stage) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, bytes = in.width * S::PIXEL;
    stage += warp * S::PITCH + lane * CHUNK;
#pragma unroll
    for (int row = 0; row < STEP_ROWS; row += S::WARPS) {
        const uint8_t *from = border_row(in, job, y + warp + row);
#pragma unroll
        for (int i = 0; i < S::CHUNKS; i += 32)
            if (i + 32 <= S::CHUNKS || lane < S::CHUNKS - i)
                fetch_chunk(job, from, bytes, left + (i + lane) * CHUNK, stage + row * S::PITCH + i * CHUNK);
    }
}

/* Begins a strip: its first rows are on their way. */
template <typename S>
static __device__ __forceinline__ StripPlace begin_strip(const Plane &in, const Sum &job, int left, int top, int bottom,
                                                         uint8_t *shared) {
    StripPlace at = {top - S::REACH / 4 * STEP_ROWS, bottom, top - S::REACH, 0};
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++, at.y += STEP_ROWS) {
        fetch_rows<S>(in, job, left, at.y, shared + i * S::STEP_BYTES);
        __pipeline_commit();
    }
    return at;
}

/* Waits for the next 8 rows, begins to fetch others, and returns where those lie. */
template <typename S>
static __device__ __forceinline__ const uint8_t *next_rows(const Plane &in, const Sum &job, const Edges &edges,
                                                           int left, uint8_t *shared, StripPlace &at) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    /* The stage before this one was read by all, and takes the next rows. */
    if (at.row + (STAGES - 1) * STEP_ROWS < at.bottom)
        fetch_rows<S>(in, job, left, at.y, shared + (at.stage == 0 ? STAGES - 1 : at.stage - 1) * S::STEP_BYTES);
    __pipeline_commit();
    uint8_t *stage = shared + at.stage * S::STEP_BYTES;
    if (left < 0 || left + S::CHUNKS * CHUNK > in.width * S::PIXEL) {
        const int y = at.y - (STAGES - 1) * STEP_ROWS;
        if (left < 0)
            mend_side<S::PIXEL, S::REACH, S::CHUNKS * CHUNK, S::PITCH>(in, job, edges.before, -1, -1, left, y, stage,
                                                                       threadIdx.x, S::THREADS);
        __syncthreads();
        mend_side<S::PIXEL, S::REACH, S::CHUNKS * CHUNK, S::PITCH>(in, job, edges.after, 1, in.width, left, y, stage,
                                                                   threadIdx.x, S::THREADS);
        __syncthreads();
    }
    at.y += STEP_ROWS;
    at.stage = at.stage == STAGES - 1 ? 0 : at.stage + 1;
    return stage;
}

template <typename S>
static __device__ __noinline__ void store_edge(const Plane &out, int width, int left, int y, const uint8_t *results) {
    const int bytes = min((int)S::WARP_BYTES, width - left), rows = min((int)STEP_ROWS, out.height - y);
    for (int row = 0; row < rows; row++)
        for (int i = threadIdx.x % 32; i < bytes; i += 32)
            row_to<uint8_t>(out, y + row)[left + i] = results[row * S::RESULT_PITCH + i];
}

/* 8 rows of a warp's results leave in long pieces. `width`: bytes of a row. */
template <typename S>
static __device__ __forceinline__ void store_rows(const Plane &out, int width, int left, int y,
                                                  const uint8_t *results) {
    enum { CHUNKS = S::WARP_BYTES / CHUNK };
    if (left + S::WARP_BYTES > width || y + STEP_ROWS > out.height) {
        store_edge<S>(out, width, left, y, results);
        return;
    }
#pragma unroll
    for (int i = threadIdx.x % 32; i < STEP_ROWS * CHUNKS; i += 32) {
        const int row = i / CHUNKS, at = i % CHUNKS * CHUNK;
        *(uint4 *)(row_to<uint8_t>(out, y + row) + left + at) = *(const uint4 *)(results + row * S::RESULT_PITCH + at);
    }
}

/* One way to run a mask. */
typedef struct Instance {
    const void *kernel;
    int threads, blocks, out_bytes, shared, rows_max;
} Instance;

template <typename S> static Instance strip_instance(const void *kernel) {
    const Instance instance = {kernel, S::THREADS, S::BLOCKS, S::OUT_BYTES, S::SHARED, S::ROWS_MAX};
    return instance;
}

/* Rows of a strip: few blocks that do little but begin, and whole rounds of them on the multiprocessors. */
static int rows_for(const Queue *queue, const Instance *instance, int strips, int height) {
    const int at_once = gpu_of(queue->device)->limits.multiProcessorCount * instance->blocks;
    int rows = height;
    for (int round = 1; rows > instance->rows_max; round++) {
        const int pieces = round * at_once / strips;
        rows = pieces > 0 ? (int)blocks_for((int)blocks_for(height, pieces), STEP_ROWS) * STEP_ROWS : rows;
    }
    return rows;
}

/* For rows of so many bytes; *rows: of a strip. */
static inline Launch strip_launch(const Queue *queue, const Instance *instance, int bytes, int height, int *rows) {
    const int strips = (int)blocks_for(bytes, instance->out_bytes);
    *rows = rows_for(queue, instance, strips, height);
    const Launch launch = {dim3((unsigned)strips, blocks_for(height, *rows)), dim3((unsigned)instance->threads),
                           (size_t)instance->shared};
    return launch;
}

#endif
