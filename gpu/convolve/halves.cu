/* halves.cu: u8 convolution on the tensor cores with pixels and weights of 16-bit floats. A weight takes one product,
 * and two as two bytes (tensor.cu). Rows of the mask with equal weights, as mirrored masks have, share one:
 *     w * a + w * b = w * (a + b).
 * Pixels are never converted. A whole number n of up to 10 bits is the bit pattern of the float n * 2^-24, a denormal.
 * Bytes are only spread into 16-bit fields.
 * For one row of the mask, the sums of 8 neighbouring pixels are a product with a banded matrix, as in tensor.cu. A
 * warp has 16 rows of 64 pixels of one channel. In shared memory each channel has a plane. In its rows the bytes of
 * every 16 columns take turns: the first, the ninth, the second, ... The bytes at even places of a word are then
 * columns of the first 8, and the others are columns of the second. */
#include "gpu/convolve/halves.cuh"
#include "gpu/convolve/planes.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/accepts.h"
}

#include <stdlib.h>
#include <string.h>

enum {
    WARPS = 8,
    THREADS = 32 * WARPS,
    MATRIX_ROWS = 16,
    TILE_ROWS = MATRIX_ROWS * WARPS,
    EACH = 8,   /* columns of a product's results */
    PIECE = 16, /* of its pixels */
    GROUPS = 8,
    WIDTH = GROUPS * EACH,
    LOADED = WIDTH + 2 * PIECE, /* columns that a step loads at most */
    KINDS = 4,                  /* of steps */
    STEPS_MAX = MASK_MAX * (MASK_MAX / (2 * PIECE) + 2)
};

/* Steps by kinds: two rows of the mask or one, each with two pieces of 16 columns or one. */
enum { TWO_ROWS_TWO_PIECES, TWO_ROWS, TWO_PIECES, ONE_PIECE };

/* How the steps walk over the tile. */
typedef struct Bands {
    int shift;        /* columns before the mask's first, so that the tile begins on a multiple of 4 */
    int columns;      /* of a row that are fetched */
    int pitch, rows;  /* of a plane, in bytes: 16 times an odd number, so that 8 rows lie in different banks */
    unsigned per_row; /* 2^32 / the parts in which a row is fetched, rounded up: divides by multiplying */
    int ends[KINDS];  /* the steps of a kind end here, and those of the next begin */
    float scale;      /* results are sum * scale; if exact, sum * scale / divisor */
    int exact;
} Bands;

static __device__ __forceinline__ void load_matrix(uint32_t from, uint32_t (&a)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from)
                 : "memory");
}

/* The 16 x 16 pixels of two blocks of 8 columns, times a band. */
static __device__ __forceinline__ void multiply(float (&sums)[4], const uint32_t (&left)[2], const uint32_t (&right)[2],
                                                uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(right[0]), "r"(right[1]), "r"(b0), "r"(b1));
#endif
}

/* Four pixels with any of them beyond the picture; sy: -1 beyond it. */
template <int C>
static __device__ __noinline__ void gather(const Plane &in, const Sum &job, int x, int sy, uint32_t (&planes)[C]) {
#pragma unroll
    for (int c = 0; c < C; c++)
        planes[c] = 0;
    for (int p = 0; p < 4; p++) {
        const int sx = inside_index(job.border, x + p, in.width);
#pragma unroll
        for (int c = 0; c < C; c++)
            planes[c] |= (sx < 0 || sy < 0 ? (uint32_t)job.outside : (uint32_t)row_of<uint8_t>(in, sy)[sx * C + c])
                         << 8 * p;
    }
}

template <int C>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int left, int top, const Bands &bands,
                                             uint8_t *tile) {
    const int plane = bands.rows * bands.pitch, parts = bands.columns / 8;
#pragma unroll 2
    for (int i = threadIdx.x; i < parts * bands.rows; i += THREADS) {
        const int y = (int)__umulhi((unsigned)i, bands.per_row), part = i - y * parts;
        const int x = left + part / 2 * PIECE + part % 2 * 4, sy = inside_index(job.border, top + y, in.height);
        uint32_t first[C], second[C];
        if (sy >= 0 && x >= 0 && x + EACH + 4 <= in.width) {
            const uint8_t *from = row_of<uint8_t>(in, sy) + x * C;
            load_planes<C>(from, first);
            load_planes<C>(from + EACH * C, second);
        } else {
            gather<C>(in, job, x, sy, first);
            gather<C>(in, job, x + EACH, sy, second);
        }
        uint8_t *to = tile + y * bands.pitch + part * 8;
#pragma unroll
        for (int c = 0; c < C; c++)
            *(uint2 *)&to[c * plane] =
                make_uint2(__byte_perm(first[c], second[c], 0x5140), __byte_perm(first[c], second[c], 0x7362));
    }
}

/* Adds the products of steps `begin` to `end`. `lanes`: for each step, a lane's part of the bands of its pieces.
 * `pieces`: the two 16 x 16 matrices that a step begins with. The upper half is the mask's row, the lower one the
 * column. */
template <int ROWS, int PIECES>
static __device__ __forceinline__ void add_products(const Bands &bands, const uint4 *__restrict__ lanes,
                                                    const unsigned *__restrict__ pieces, int begin, int end,
                                                    uint32_t base, float (&sums)[GROUPS][4]) {
    if (begin == end)
        return;
    uint4 next_band = lanes[begin * 32];
    unsigned next_piece = pieces[2 * begin];
#pragma unroll 1
    for (int step = begin; step < end; step++) {
        const uint4 band = next_band;
        const unsigned piece = next_piece;
        if (step + 1 < end) {
            next_band = lanes[(step + 1) * 32];
            next_piece = pieces[2 * step + 2];
        }
        const uint32_t from = base + (piece >> 16) * (unsigned)bands.pitch + (piece & 0xffff);
        uint32_t words[4], left[2], right[2], before[2] = {};
#pragma unroll
        for (int q = 0; q < GROUPS / 2 + PIECES; q++) {
            if (ROWS == 2 || q % 2 == 0)
                load_matrix(from + q * PIECE, words);
#pragma unroll
            for (int half = 0; half < 2; half++)
                if (ROWS == 2) {
                    left[half] = add_halves(even_bytes(words[half]), even_bytes(words[half + 2]));
                    right[half] = add_halves(odd_bytes(words[half]), odd_bytes(words[half + 2]));
                } else {
                    left[half] = even_bytes(words[q % 2 * 2 + half]);
                    right[half] = odd_bytes(words[q % 2 * 2 + half]);
                }
#pragma unroll
            for (int p = 0; p < PIECES; p++) {
                const int group = 2 * (q - p);
                if (group > 0 && group <= GROUPS)
                    multiply(sums[group - 1], before, left, p ? band.z : band.x, p ? band.w : band.y);
                if (group >= 0 && group < GROUPS)
                    multiply(sums[group], left, right, p ? band.z : band.x, p ? band.w : band.y);
            }
            before[0] = right[0];
            before[1] = right[1];
        }
    }
}

/* Stages a warp's 16 rows of a channel. */
template <int C>
static __device__ __forceinline__ void stage_results(const Bands &bands, const Sum &job, const float (&sums)[GROUPS][4],
                                                     uint8_t *to, int pitch) {
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int results[2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const float sum = sums[g][2 * half + i];
                results[i] = bands.exact ? __float2int_rn(finish(job, sum * bands.scale))
                                         : __float_as_int(fmaf(sum, bands.scale, job.bias) + BASE) - BASE_BITS;
            }
            uint32_t both;
            asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(both) : "r"(results[1]), "r"(results[0]), "r"(0));
            uint8_t *two = to + 8 * half * pitch + g * EACH * C;
            if constexpr (C == 1) {
                *(uint16_t *)two = (uint16_t)both;
            } else {
                two[0] = (uint8_t)both;
                two[C] = (uint8_t)(both >> 8);
            }
        }
}

template <int C>
__global__ void __launch_bounds__(THREADS, 3)
    convolve_halves(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ Sum job, const __grid_constant__ Bands bands,
                    const uint4 *__restrict__ lanes) {
    enum { ROW_BYTES = WIDTH * C, PITCH = ROW_BYTES + 16 };
    extern __shared__ __align__(16) uint8_t tile[];
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * TILE_ROWS;
    const int lane = threadIdx.x % 32, first_row = threadIdx.x / 32 * MATRIX_ROWS;
    fetch<C>(in, job, left - job.width / 2 - bands.shift, top - job.height / 2, bands, tile);
    const unsigned *pieces = (const unsigned *)(lanes + bands.ends[KINDS - 1] * 32) + lane / 16;
    const unsigned plane = (unsigned)(bands.rows * bands.pitch);
    uint8_t *staged = tile + C * plane + first_row * PITCH;
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(tile + (first_row + lane % 16) * bands.pitch);
    lanes += lane;
    __syncthreads();
#pragma unroll 1
    for (int c = 0; c < C; c++) {
        float sums[GROUPS][4] = {};
        const uint32_t from = base + (unsigned)c * plane;
        add_products<2, 2>(bands, lanes, pieces, 0, bands.ends[TWO_ROWS_TWO_PIECES], from, sums);
        add_products<2, 1>(bands, lanes, pieces, bands.ends[TWO_ROWS_TWO_PIECES], bands.ends[TWO_ROWS], from, sums);
        add_products<1, 2>(bands, lanes, pieces, bands.ends[TWO_ROWS], bands.ends[TWO_PIECES], from, sums);
        add_products<1, 1>(bands, lanes, pieces, bands.ends[TWO_PIECES], bands.ends[ONE_PIECE], from, sums);
        stage_results<C>(bands, job, sums, staged + lane / 4 * PITCH + lane % 4 * 2 * C + c, PITCH);
    }
    __syncwarp();
    /* Pixels leave in long rows. */
    const int bytes = min((int)WIDTH, out.width - left) * C, rows = min((int)MATRIX_ROWS, out.height - top - first_row);
    if (bytes == ROW_BYTES) {
        for (int i = lane; i < rows * (ROW_BYTES / 16); i += 32) {
            const int y = i / (ROW_BYTES / 16), x = 16 * (i % (ROW_BYTES / 16));
            *(uint4 *)(row_to<uint8_t>(out, top + first_row + y) + left * C + x) =
                *(const uint4 *)&staged[y * PITCH + x];
        }
    } else {
        for (int y = 0; y < rows; y++)
            for (int i = lane; i < bytes; i += 32)
                row_to<uint8_t>(out, top + first_row + y)[left * C + i] = staged[y * PITCH + i];
    }
}

static Bands bands_of(const Mask *mask) {
    Bands bands = {};
    bands.shift = (4 - mask->width / 2 % 4) % 4;
    bands.rows = TILE_ROWS + mask->height - 1;
    bands.columns = (bands.shift + WIDTH + mask->width - 1 + PIECE - 1) / PIECE * PIECE;
    const int last = (bands.shift + mask->width + EACH - 2) / PIECE * PIECE; /* where a piece can begin */
    bands.pitch = bands.columns > last + LOADED ? bands.columns : last + LOADED;
    bands.pitch += bands.pitch / PIECE % 2 ? 0 : PIECE;
    bands.per_row = 0xFFFFFFFFu / (unsigned)(bands.columns / 8) + 1;
    return bands;
}

static size_t tile_bytes(const Mask *mask, int channels) {
    const Bands bands = bands_of(mask);
    return (size_t)bands.rows * (size_t)bands.pitch * (size_t)channels +
           (size_t)TILE_ROWS * (size_t)(WIDTH * channels + 16);
}

/* One step of a mask: rows with the same weights, and the columns where its pieces begin in the tile. */
typedef struct Step {
    int row, other; /* -1: none */
    int column, pieces;
} Step;

static int kind_of(Step step) {
    return (step.other < 0 ? TWO_PIECES : TWO_ROWS_TWO_PIECES) + (step.pieces == 1);
}

/* The steps of a row of the mask, into `list`; returns their number. */
static int list_row(const Mask *mask, const Bands &bands, int row, int other, Step *list) {
    const float *weights = mask->weights + row * mask->width;
    int first = 0, last = mask->width - 1, count = 0;
    while (first < mask->width && weights[first] == 0)
        first++;
    while (last > first && weights[last] == 0)
        last--;
    const int end = bands.shift + last + EACH;
    for (int at = (bands.shift + first) / PIECE * PIECE; first < mask->width && at < end; at += 2 * PIECE)
        list[count++] = {row, other, at, at + PIECE < end ? 2 : 1};
    return count;
}

/* All steps, those of a kind together; returns their number. */
static int list_steps(const Mask *mask, Bands *bands, Step *list) {
    bool taken[MASK_MAX] = {};
    Step steps[STEPS_MAX];
    int count = 0, sorted = 0;
    const size_t row_bytes = (size_t)mask->width * sizeof(float);
    for (int j = 0; j < mask->height; j++) {
        int other = -1;
        for (int k = j + 1; k < mask->height && other < 0 && !taken[j]; k++)
            if (!taken[k] && memcmp(mask->weights + j * mask->width, mask->weights + k * mask->width, row_bytes) == 0)
                other = k;
        if (!taken[j])
            count += list_row(mask, *bands, j, other, steps + count);
        if (other >= 0)
            taken[other] = true;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < count; i++)
            if (kind_of(steps[i]) == kind)
                list[sorted++] = steps[i];
        bands->ends[kind] = sorted;
    }
    return count;
}

/* A lane's part of the 16 x 8 bands of a step. lane / 4 is the column, lane % 4 * 2 the first of two rows (PTX ISA,
 * matrix fragments for mma.m16n8k16). */
static uint4 lane_of(const Mask *mask, const Bands &bands, double scale, Step step, int lane) {
    uint32_t words[4] = {};
    for (int i = 0; i < 2 * step.pieces * 2; i++) {
        const int k = i / 2 * 8 + lane % 4 * 2 + i % 2, at = step.column + k - bands.shift - lane / 4;
        const double weight = at >= 0 && at < mask->width ? (double)mask->weights[step.row * mask->width + at] : 0;
        words[i / 2] |= (uint32_t)__half_as_ushort(__double2half(weight * scale)) << 16 * (i % 2);
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* As GpuKept keeps it. */
typedef union HalvesFacts {
    struct {
        int ends[KINDS];
        float scale;
        int exact;
    };
    int facts[KEPT_FACTS];
} HalvesFacts;

/* The lanes of the mask's bands on the device, then the pieces. */
static Status make_bands(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    Bands bands = bands_of(mask);
    const Halves halves = halves_of(mask);
    const size_t most = (size_t)mask->height * (size_t)(mask->width / (2 * PIECE) + 2), each = 32 * sizeof(uint4);
    Step *steps = (Step *)malloc(most * sizeof *steps);
    uint4 *lanes = (uint4 *)malloc(most * (each + 2 * sizeof(unsigned)));
    Status status = STATUS_OK;
    if (!steps || !lanes)
        status = fail(STATUS_DEVICE, "no memory for a mask's bands");
    if (status == STATUS_OK) {
        const int count = list_steps(mask, &bands, steps);
        unsigned *pieces = (unsigned *)(lanes + 32 * count);
        for (int i = 0; i < 32 * count; i++)
            lanes[i] = lane_of(mask, bands, halves.scale, steps[i / 32], i % 32);
        for (int i = 0; i < count; i++) {
            const bool two = steps[i].other >= 0;
            pieces[2 * i] = (unsigned)steps[i].row << 16 | (unsigned)steps[i].column;
            pieces[2 * i + 1] =
                (unsigned)(two ? steps[i].other : steps[i].row) << 16 | (unsigned)(steps[i].column + (two ? 0 : PIECE));
        }
        HalvesFacts facts = {};
        memcpy(facts.ends, bands.ends, sizeof bands.ends);
        facts.exact = halves.error == 0;
        facts.scale = (float)(0x1p24 * halves.ratio / halves.scale / (facts.exact ? 1 : (double)mask->divisor));
        status =
            gpu_keep(queue, (GpuKept *)entry, mask, lanes, (size_t)count * (each + 2 * sizeof *pieces), facts.facts);
    }
    free(steps);
    free(lanes);
    return status;
}

static const CacheKind kept_bands = GPU_KEPT(make_bands);

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Mask *mask = convolve_job(stage)->mask;
    if (!accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "weights of 11 digits would round too many values differently";
    const double error = halves_of(mask).error;
    if (!(error == 0 || rounds_alike(stage, error, TENSOR_ERROR_MAX)) || !(mask_absolute_sum(mask) < 1024))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return tile_bytes(mask, stage->out.shape.channels) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[] = {(const void *)convolve_halves<1>, (const void *)convolve_halves<2>,
                                          (const void *)convolve_halves<3>, (const void *)convolve_halves<4>};
    const Mask *mask = convolve_job(stage)->mask;
    const int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Bands bands = bands_of(mask);
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_bands, mask, &kept));
    HalvesFacts facts;
    memcpy(facts.facts, kept->facts, sizeof facts.facts);
    memcpy(bands.ends, facts.ends, sizeof bands.ends);
    bands.scale = facts.scale;
    bands.exact = facts.exact;
    void *lanes = kept->memory.memory;
    const Launch launch = {dim3(blocks_for(out.width, WIDTH), blocks_for(out.height, TILE_ROWS)), dim3(THREADS),
                           tile_bytes(mask, channels)};
    void *arguments[] = {&in, &out, &job, &bands, &lanes};
    return gpu_launch(queue, "convolve halves", kernels[channels - 1], launch, arguments);
}

/* The time on an H200: of 4096 x 4096 pixels, disks of radius 3 to 40. Where a multiprocessor has room for one tile
 * alone, nothing hides its latency. */
#define MIN_MS         0.03 /* of a block, whatever the picture */
#define BEGIN_MS       0.015
#define VALUE_NS       0.0011
#define STEP_NS        0.00019 /* with one piece; */
#define TWO_PIECES_NS  0.00025 /* with two */
#define ALONE          1.37
#define MULTIPROCESSOR 233472 /* bytes of shared memory, of which a block takes 1024 more than it asks for */

static double predict(const Level *, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape shape = stage->out.shape;
    Step steps[STEPS_MAX];
    Bands bands = bands_of(mask);
    double ns = VALUE_NS;
    const int count = list_steps(mask, &bands, steps);
    for (int i = 0; i < count; i++)
        ns += steps[i].pieces == 2 ? TWO_PIECES_NS : STEP_NS;
    if (2 * (tile_bytes(mask, shape.channels) + 1024) > MULTIPROCESSOR)
        ns *= ALONE;
    return fmax(BEGIN_MS + ns * 1e-6 * (double)shape.width * (double)shape.height * shape.channels, MIN_MS);
}

static const Predictor predictor = {"NVIDIA H200", predict};

extern "C" const Level cuda_convolve_halves = {
    .op = &op_convolve,
    .name = "halves",
    .idea = "bytes as 16-bit floats on the tensor cores; rows of the mask with equal weights are added first",
    .accepts = accepts,
    .predictor = &predictor,
    .run = run,
};
