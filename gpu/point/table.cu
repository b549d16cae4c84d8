/* table.cu: runs of functions of one value as tables in shared memory, with matrices between them.
 * For u8, a table has a copy for each lane, in that lane's bank, so that 32 lanes look up at once. Between tables
 * colours go through matrices in f32, as the tables give them. A result that is too near a half to tell how the
 * reference rounds is computed once more in double. For u16, one table of 128 KiB fills a multiprocessor's shared
 * memory. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/point.h"
#include "gpu/cache.h"
#include "gpu/point/measured.h"
}

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    MATRICES_MAX = 3,
    LANES = 32,
    BYTES = 256,   /* values of u8 */
    WORDS = 65536, /* of u16 */
    THREADS = 512,
    WIDE_THREADS = 1024,
    CHUNK = 16, /* bytes of a load */
    TABLE_BYTES = BYTES * LANES * 4,
    WIDE_BYTES = WORDS * 2,
    LANE_SHIFT = 7 /* entries of a lane's copy are 128 bytes apart */
};

#define ROUNDER      12582912.0f /* 1.5 times 2^23: a value added to it is rounded to even, in the lowest bits */
#define ROUNDER_BITS 0x4B400000u

/* The matrix between two tables: for each colour its factors on three others, and the number added. Whole numbers with
 * a divisor have exact sums. Others are of white, so that stored values are 0 to 1, to which a GPU clamps without an
 * instruction. */
typedef struct Matrix {
    float factors[12];
    float divisor, inverse; /* 0: they are no whole numbers */
    float certain;          /* the largest distance from a whole number at which f32 rounds as double does */
    double exact[12];
} Matrix;

/* Table, matrix, table, ... table. Where the program has none, a table changes nothing. */
typedef struct Tables {
    uint8_t after[MATRICES_MAX + 1][BYTES];
    Matrix matrices[MATRICES_MAX];
    int count; /* of matrices */
} Tables;

/* ---- u8 ---- */

/* `at` is the entry's address in shared memory. */
static __device__ __forceinline__ uint32_t look_up(uint32_t at) {
    uint32_t found;
    asm("ld.shared.u32 %0, [%1];" : "=r"(found) : "r"(at));
    return found;
}

/* Computes a colour as the reference does it; rarely. */
static __device__ __noinline__ float exact_colour(const double *row, float white, float r, float g, float b) {
    const double sum = row[0] * (double)r + row[1] * (double)g + row[2] * (double)b + row[3] * (double)white;
    return (float)rint(fmin(fmax(sum, 0.0), 255.0)) + ROUNDER;
}

/* A whole sum by its divisor. The remainder of the first product is exact, and so is a quotient that ends in a half.
 * All others are further from halves than f32 errs: by 1/20000 at least, up to 255. */
static __device__ __forceinline__ float divided(const Matrix &matrix, float sum) {
    const float near = sum * matrix.inverse;
    return fmaf(fmaf(-near, matrix.divisor, sum), matrix.inverse, near);
}

/* Colours of a pixel, as table 0 gives them, through matrix m; the results have ROUNDER added. */
static __device__ __forceinline__ void mix(const Matrix &matrix, const float (&in)[3], float (&out)[3]) {
    float sums[3], doubt = 0;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const float *row = matrix.factors + 4 * c;
        sums[c] = fmaf(row[2], in[2], fmaf(row[1], in[1], fmaf(row[0], in[0], row[3])));
    }
    if (matrix.divisor > 0) {
#pragma unroll
        for (int c = 0; c < 3; c++)
            out[c] = fminf(fmaxf(divided(matrix, sums[c]), 0), 255) + ROUNDER;
        return;
    }
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const float sum = __saturatef(sums[c]);
        out[c] = fmaf(sum, 255, ROUNDER);
        doubt = fmaxf(doubt, fabsf(fmaf(sum, 255, ROUNDER - out[c])));
    }
    if (doubt > matrix.certain)
        for (int c = 0; c < 3; c++)
            out[c] = exact_colour(matrix.exact + 4 * c, 255, in[0], in[1], in[2]);
}

/* One byte of colour of a pixel that no matrix mixes. */
static __device__ __forceinline__ uint32_t entry_of(uint32_t words, int byte) {
    return __byte_perm(words, 0, 0x4440 + byte) << LANE_SHIFT;
}

/* The pixels in `count` words; `tables` is the lane's part of the first one. */
template <int C, int N, int COUNT>
static __device__ __forceinline__ void convert(const Tables &program, uint32_t tables, uint32_t (&words)[COUNT]) {
    enum { COLOURS = C % 2 ? C : C - 1 };
#pragma unroll
    for (int p = 0; p < 4 * COUNT / C; p++) {
        uint32_t results[COLOURS];
        if (N == 0) {
#pragma unroll
            for (int c = 0; c < COLOURS; c++)
                results[c] = look_up(tables + entry_of(words[(p * C + c) / 4], (p * C + c) % 4));
        } else {
            float now[3], next[3];
#pragma unroll
            for (int c = 0; c < 3; c++)
                now[c] = __uint_as_float(look_up(tables + entry_of(words[(p * C + c) / 4], (p * C + c) % 4)));
#pragma unroll
            for (int m = 0; m < N; m++) {
                const uint32_t table = tables + (m + 1) * TABLE_BYTES - (ROUNDER_BITS << LANE_SHIFT);
                mix(program.matrices[m], now, next);
#pragma unroll
                for (int c = 0; c < 3; c++) {
                    const uint32_t found = look_up((__float_as_uint(next[c]) << LANE_SHIFT) + table);
                    now[c] = __uint_as_float(found);
                    results[c % COLOURS] = found;
                }
            }
        }
#pragma unroll
        for (int c = 0; c < COLOURS; c++) {
            const int at = p * C + c;
            const uint32_t keep = 0x3210, put = keep & ~(0xFu << 4 * (at % 4)) | 4u << 4 * (at % 4);
            words[at / 4] = __byte_perm(words[at / 4], results[c], put);
        }
    }
}

static __device__ __forceinline__ void load_chunk(const uint8_t *from, int at, int end, uint32_t *words) {
    const uint4 chunk = at < end ? *(const uint4 *)(from + at) : make_uint4(0, 0, 0, 0);
    words[0] = chunk.x, words[1] = chunk.y, words[2] = chunk.z, words[3] = chunk.w;
}

static __device__ __forceinline__ void store_chunk(uint8_t *to, int at, int end, const uint32_t *words) {
    if (at + CHUNK <= end) {
        __stcs((uint4 *)(to + at), make_uint4(words[0], words[1], words[2], words[3]));
    } else {
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            if (at + i < end)
                to[at + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}

/* How threads share rows: 2^across of them side by side. */
typedef struct Share {
    int across, end; /* bytes of a row */
} Share;

template <int C, int N>
__global__ void __launch_bounds__(THREADS, 2)
    point_table(Plane in, Plane out, Share share, const __grid_constant__ Tables program) {
    enum { CHUNKS = C == 3 ? 3 : 1, WORDS_EACH = 4 * CHUNKS, STEP = CHUNK * CHUNKS };
    extern __shared__ uint32_t entries[];
    for (int i = threadIdx.x; i < (N + 1) * BYTES * LANES; i += THREADS) {
        const int table = i / (BYTES * LANES), value = program.after[table][i / LANES % BYTES];
        entries[i] = table < N ? __float_as_uint((float)value) : (uint32_t)value;
    }
    __syncthreads();
    uint32_t tables = (uint32_t)__cvta_generic_to_shared(entries) + threadIdx.x % LANES * 4;
    asm volatile("mov.u32 %0, %0;" : "+r"(tables) : : "memory"); /* no look-up may move before the barrier */
    const int across = 1 << share.across, down = THREADS >> share.across;
    const int column = (threadIdx.x & (across - 1)) * STEP, width = across * STEP;
    for (int y = blockIdx.x * down + (threadIdx.x >> share.across); y < out.height; y += gridDim.x * down) {
        const uint8_t *from = row_of<uint8_t>(in, y);
        uint8_t *to = row_to<uint8_t>(out, y);
        for (int x = column; x < share.end; x += 2 * width) {
            uint32_t first[WORDS_EACH], second[WORDS_EACH];
#pragma unroll
            for (int i = 0; i < CHUNKS; i++)
                load_chunk(from, x + CHUNK * i, share.end, first + 4 * i);
#pragma unroll
            for (int i = 0; i < CHUNKS; i++)
                load_chunk(from, x + width + CHUNK * i, share.end, second + 4 * i);
            convert<C, N>(program, tables, first);
#pragma unroll
            for (int i = 0; i < CHUNKS; i++)
                store_chunk(to, x + CHUNK * i, share.end, first + 4 * i);
            if (x + width < share.end) {
                convert<C, N>(program, tables, second);
#pragma unroll
                for (int i = 0; i < CHUNKS; i++)
                    store_chunk(to, x + width + CHUNK * i, share.end, second + 4 * i);
            }
        }
    }
}

/* ---- u16 ---- */

/* ALPHA: every which value is one, and stays as it is; 0: none. */
template <int ALPHA> static __device__ __forceinline__ void convert_wide(const uint16_t *table, uint32_t (&words)[4]) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint32_t low = table[words[i] & 0xFFFF];
        const uint32_t high = ALPHA && (2 * i + 2) % (ALPHA ? ALPHA : 1) == 0 ? words[i] >> 16 : table[words[i] >> 16];
        words[i] = low | high << 16;
    }
}

template <int ALPHA>
__global__ void __launch_bounds__(WIDE_THREADS, 1)
    point_table_wide(Plane in, Plane out, Share share, const uint4 *__restrict__ after) {
    extern __shared__ uint4 table[];
    for (int i = threadIdx.x; i < WIDE_BYTES / CHUNK; i += WIDE_THREADS)
        table[i] = after[i];
    __syncthreads();
    const int across = 1 << share.across, down = WIDE_THREADS >> share.across;
    const int column = (threadIdx.x & (across - 1)) * CHUNK, width = across * CHUNK;
    for (int y = blockIdx.x * down + (threadIdx.x >> share.across); y < out.height; y += gridDim.x * down) {
        const uint8_t *from = row_of<uint8_t>(in, y);
        uint8_t *to = row_to<uint8_t>(out, y);
        for (int x = column; x < share.end; x += 2 * width) {
            uint32_t first[4], second[4];
            load_chunk(from, x, share.end, first);
            load_chunk(from, x + width, share.end, second);
            convert_wide<ALPHA>((const uint16_t *)table, first);
            store_chunk(to, x, share.end, first);
            if (x + width < share.end) {
                convert_wide<ALPHA>((const uint16_t *)table, second);
                store_chunk(to, x + width, share.end, second);
            }
        }
    }
}

/* ---- the program as tables ---- */

/* Steps that are stored as the picture is, but for f32 within a run, so that alpha stays as it is. */
static bool keeps_type(const PointJob *job, int first, int count, PixelType type) {
    for (int i = first; i < first + count; i++)
        if (job->steps[i].type != type && job->steps[i].type != PIXEL_F32)
            return false;
    return count == 0 || job->steps[first + count - 1].type == type;
}

static bool is_matrix(PointFunction function) {
    return function == POINT_grayscale || function == POINT_matrix || function == POINT_mix;
}

/* Tables and matrices that take turns, as many as there is room for. */
static bool lower(const Stage *stage, const PointStep *(*mixes)[MATRICES_MAX], int (*runs)[MATRICES_MAX + 1][2],
                  int *count) {
    const PointJob *job = point_job(stage);
    const PixelType type = stage->in[0].shape.type;
    *count = 0;
    for (int i = 0;;) {
        const int run = point_value_steps(job, i, stage->in[0].shape.channels);
        if (!keeps_type(job, i, run, type))
            return false;
        (*runs)[*count][0] = i;
        (*runs)[*count][1] = run;
        i += run;
        if (i == job->count)
            return true;
        if (*count == MATRICES_MAX || !is_matrix(job->steps[i].function) || job->steps[i].type != type)
            return false;
        (*mixes)[(*count)++] = &job->steps[i++];
    }
}

/* Whole numbers, as POINT_mix has them. */
static Matrix matrix_of_whole(const double *p, double white) {
    Matrix matrix = {{0}};
    for (int i = 0; i < 12; i++)
        matrix.factors[i] = (float)(i % 4 < 3 ? p[i] : p[i] * white);
    matrix.divisor = (float)p[12];
    matrix.inverse = 1 / matrix.divisor;
    return matrix;
}

/* The reference's factors, and how far f32 may be from its sums. */
static Matrix matrix_of(const PointJob *job, const PointStep *step) {
    static const double luma[4] = {0.2126, 0.7152, 0.0722, 0};
    const double *p = job->pool + step->parameters;
    Matrix matrix = {{0}};
    double most = 0;
    if (step->function == POINT_mix)
        return matrix_of_whole(p, step->white);
    for (int c = 0; c < 3; c++) {
        const double *row = step->function == POINT_grayscale ? luma : p + 4 * c;
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            matrix.exact[4 * c + i] = row[i];
            matrix.factors[4 * c + i] = (float)(i < 3 ? row[i] / 255 : row[i] * step->white / 255);
            sum += fabs(row[i]) * 255;
        }
        most = fmax(most, sum);
    }
    /* Half an epsilon each for the factors and the three sums, and for the product with 255. */
    matrix.certain = (float)(0.5 - 0.5 * (double)FLT_EPSILON * (4.5 * most + 2 * 255));
    return matrix;
}

/* `units` of work a row, by powers of two. */
static Share share_of(const Stage *stage, int step, int threads) {
    Share share = {0, (int)shape_row_bytes(stage->out.shape)};
    while (step << share.across < share.end && 1 << share.across < threads)
        share.across++;
    return share;
}

static unsigned blocks_of(Queue *queue, const Stage *stage, Share share, int threads, int resident) {
    const int down = threads >> share.across;
    const unsigned rows = blocks_for((int)stage->out.shape.height, down);
    const unsigned most = (unsigned)(gpu_of(queue->device)->limits.multiProcessorCount * resident);
    return rows < most ? rows : most;
}

/* The tables of a program: for u8 in the launch's arguments, for u16 in device memory. */
typedef struct Kept {
    bool made;
    PointJob job;
    PixelType type;
    bool gray; /* colour functions are tables in gray pictures, in others not */
    Tables tables;
    GpuScratch memory;
} Kept;

static void fill_tables(const Stage *stage, Tables *tables) {
    const PointJob *job = point_job(stage);
    const PointStep *mixes[MATRICES_MAX];
    int runs[MATRICES_MAX + 1][2];
    lower(stage, &mixes, &runs, &tables->count);
    for (int t = 0; t <= tables->count; t++)
        for (int v = 0; v < BYTES; v++)
            tables->after[t][v] = (uint8_t)point_value(job, runs[t][0], runs[t][1], v);
    for (int m = 0; m < tables->count; m++)
        tables->matrices[m] = matrix_of(job, mixes[m]);
}

static Status upload_table(Queue *queue, const Stage *stage, Kept *kept) {
    static const size_t bytes = WIDE_BYTES;
    void *memory;
    TRY(gpu_scratch(queue, &kept->memory, bytes, &memory));
    uint16_t *after = (uint16_t *)malloc(bytes);
    if (!after)
        return fail(STATUS_DEVICE, "no memory for a table");
    for (int v = 0; v < WORDS; v++)
        after[v] = (uint16_t)point_value(point_job(stage), 0, point_job(stage)->count, v);
    const Status status = gpu_put(queue, memory, after, bytes);
    free(after);
    return status;
}

static Status make_kept(Queue *queue, const void *from, void *entry) {
    const Stage *stage = (const Stage *)from;
    Kept *kept = (Kept *)entry;
    kept->made = false;
    kept->job = *point_job(stage);
    kept->type = stage->in[0].shape.type;
    kept->gray = stage->in[0].shape.channels < 3;
    if (kept->type == PIXEL_U8)
        fill_tables(stage, &kept->tables);
    else
        TRY(upload_table(queue, stage, kept));
    kept->made = true;
    return STATUS_OK;
}

static bool same_kept(const void *entry, const void *from) {
    const Kept *kept = (const Kept *)entry;
    const Stage *stage = (const Stage *)from;
    return kept->made && kept->type == stage->in[0].shape.type && kept->gray == (stage->in[0].shape.channels < 3) &&
           memcmp(&kept->job, point_job(stage), sizeof kept->job) == 0;
}

static void drop_kept(Device *device, void *entry) {
    gpu_free(device, &((Kept *)entry)->memory);
}

static const CacheKind kept_kind = {sizeof(Kept), 8, make_kept, same_kept, drop_kept, false};

static Status run_bytes(Queue *queue, const Stage *stage, Tables *tables) {
#define TABLES(ALONE, C)                                                                                               \
    {                                                                                                                  \
        (const void *)point_table<ALONE, 0>, (const void *)point_table<C, 1>, (const void *)point_table<C, 2>,         \
            (const void *)point_table<C, 3>                                                                            \
    }
    static const void *const kernels[4][MATRICES_MAX + 1] = {
        {(const void *)point_table<1, 0>}, {(const void *)point_table<2, 0>}, TABLES(1, 3), TABLES(4, 4)};
    const int channels = stage->out.shape.channels;
    const size_t shared = (size_t)TABLE_BYTES * (size_t)(tables->count + 1);
    const void *kernel = kernels[channels - 1][tables->count];
    int resident = 0;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, THREADS, shared));
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Share share = share_of(stage, channels == 3 && tables->count > 0 ? 3 * CHUNK : CHUNK, THREADS);
    const Launch launch = {dim3(blocks_of(queue, stage, share, THREADS, resident)), dim3(THREADS), shared};
    void *arguments[] = {&in, &out, &share, tables};
    return gpu_launch(queue, "point table", kernel, launch, arguments);
}

static Status run_words(Queue *queue, const Stage *stage, void *after) {
    static const void *const kernels[4] = {(const void *)point_table_wide<0>, (const void *)point_table_wide<2>,
                                           (const void *)point_table_wide<0>, (const void *)point_table_wide<4>};
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Share share = share_of(stage, CHUNK, WIDE_THREADS);
    const Launch launch = {dim3(blocks_of(queue, stage, share, WIDE_THREADS, 1)), dim3(WIDE_THREADS), WIDE_BYTES};
    void *arguments[] = {&in, &out, &share, &after};
    return gpu_launch(queue, "point table", kernels[stage->out.shape.channels - 1], launch, arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const size_t room = gpu_of((Device *)device)->limits.sharedMemPerBlockOptin;
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const PointStep *mixes[MATRICES_MAX];
    int runs[MATRICES_MAX + 1][2], count;
    *why_not = "only functions of one u8 or u16 value are tables, and up to three colour matrices fit between them";
    if (in.type == PIXEL_F32 || out.type != in.type || out.channels != in.channels ||
        !lower(stage, &mixes, &runs, &count))
        return false;
    if (in.type == PIXEL_U16 && count > 0)
        return false;
    *why_not = "its tables do not fit into this device's shared memory";
    return room >= (in.type == PIXEL_U8 ? (size_t)TABLE_BYTES * (size_t)(count + 1) : (size_t)WIDE_BYTES);
}

static Status run(Queue *queue, const Stage *stage) {
    void *entry;
    TRY(cache_get(queue, &kept_kind, 0, stage, &entry));
    Kept *kept = (Kept *)entry;
    return stage->in[0].shape.type == PIXEL_U8 ? run_bytes(queue, stage, &kept->tables)
                                               : run_words(queue, stage, kept->memory.memory);
}

extern "C" const Level cuda_point_table = {
    .op = &op_point,
    .name = "table",
    .idea = "functions of one value become tables in shared memory, a copy in each lane's bank, and matrices stand "
            "between them",
    .accepts = accepts,
    .predictor = &point_measured,
    .run = run,
};
