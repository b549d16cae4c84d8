/* tensor.cu: u8 convolution on the tensor cores, which multiply matrices of bytes and sum exactly.
 * For one row of the mask, the sums of 16 neighbouring pixels are a product with a banded Toeplitz matrix:
 *     out(y, x + n) = sum over k of in(y, x + k) * band(k, n),  band(k, n) = weight(k - n).
 * A 16 x 32 matrix of pixels is 16 rows of the picture, in two pieces of 16 pixels each. The pieces of all mask rows
 * are taken two at a time, but those whose weights are all 0. Weights are whole numbers of 16 bits (fixed_point.h),
 * whose upper and lower bytes are multiplied apart. One byte is enough for masks of small whole numbers. Pixels go into
 * planes, one per channel, and as bytes: nothing is converted before the sums are there. */
#include "gpu/convolve/fixed_point.cuh"
#include "gpu/convolve/planes.cuh"

extern "C" {
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
}

#include <stdlib.h>
#include <string.h>

enum {
    WARPS_ACROSS = 4,
    WARPS_DOWN = 2,
    THREADS = 32 * WARPS_ACROSS * WARPS_DOWN,
    MATRIX_ROWS = 16,
    BAND_ROWS = MATRIX_ROWS * WARPS_DOWN, /* computed by a block at a time, */
    TILE_ROWS = 2 * BAND_ROWS,            /* and fetches at a time */
    PIECE = 16,                           /* pixels of a row in the matrix, and results in x, from two products of 8 */
    PRODUCTS = 2,
    FEW_STEPS = 4 /* steps that cost less than the code around them */
};
static const unsigned NO_PIECE = ~0U;

/* Matrices of pixels that a warp has in flight for C channels: that many pieces next to each other. */
template <int C> struct Grid {
    enum {
        GROUPS = C == 1   ? 4
                 : C == 2 ? 2
                          : 1,
        WARP_WIDTH = GROUPS * PIECE,
        WIDTH = WARP_WIDTH * WARPS_ACROSS,
        ORIGIN = C == 1 ? 16 : 0 /* where a tile's rows begin: gray ones are fetched 16 aligned pixels at a time */
    };
};

/* A mask as bands: how the steps walk over the tile. */
typedef struct Bands {
    int shift;        /* columns before the mask's first, so that the tile begins on a multiple of 4 */
    int pieces_a_row; /* of 16 columns, for one mask row */
    int steps;        /* of two pieces each, that weights are in */
    int skew;         /* columns fetched before that, for gray, so that 16 pixels are aligned */
    int pitch, rows;  /* of a plane, in bytes: 16 times an odd number, so that 8 rows lie in different banks */
    int columns;      /* of a row that are fetched */
    unsigned per_row; /* 2^32 / the parts in which a row is fetched, rounded up: divides by multiplying */
    Scale scale;
} Bands;

template <bool SIGNED>
static __device__ __forceinline__ void multiply(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
#    define MULTIPLY(type)                                                                                             \
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8." type ".s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
            : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                                               \
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
    if (SIGNED)
        MULTIPLY("s8");
    else
        MULTIPLY("u8");
#    undef MULTIPLY
#endif
}

/* Four pixels of aligned memory, one word a plane. */
template <int C> static __device__ __forceinline__ void spread(const uint8_t *from, uint8_t *to, int plane) {
    uint32_t planes[C];
    load_planes<C>(from, planes);
#pragma unroll
    for (int c = 0; c < C; c++)
        *(uint32_t *)&to[c * plane] = planes[c];
}

template <int C>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int left, int top, const Bands &bands,
                                             uint8_t *tile) {
    enum { PART = C == 1 ? 16 : 4 }; /* pixels */
    const int plane = bands.rows * bands.pitch, columns = bands.columns, parts = columns / PART;
    tile += Grid<C>::ORIGIN - bands.skew;
    if (left >= 0 && top >= 0 && left + columns <= in.width && top + bands.rows <= in.height) {
#pragma unroll 2
        for (int i = threadIdx.x; i < parts * bands.rows; i += THREADS) {
            const int y = (int)__umulhi((unsigned)i, bands.per_row), x = PART * (i - y * parts);
            const uint8_t *from = row_of<uint8_t>(in, top + y) + (left + x) * C;
            uint8_t *to = tile + y * bands.pitch + x;
            if constexpr (C == 1) {
                const uint4 words = *(const uint4 *)from;
                ((uint32_t *)to)[0] = words.x;
                ((uint32_t *)to)[1] = words.y;
                ((uint32_t *)to)[2] = words.z;
                ((uint32_t *)to)[3] = words.w;
            } else {
                spread<C>(from, to, plane);
            }
        }
        return;
    }
    for (int i = threadIdx.x; i < columns * bands.rows; i += THREADS) {
        const int y = i / columns, x = i - y * columns;
        const int sx = inside_index(job.border, left + x, in.width);
        const int sy = inside_index(job.border, top + y, in.height);
        for (int c = 0; c < C; c++)
            tile[c * plane + y * bands.pitch + x] =
                sx < 0 || sy < 0 ? (uint8_t)job.outside : row_of<uint8_t>(in, sy)[sx * C + c];
    }
}

/* The results of two pixels next to each other, as they lie in a row. */
template <Rounding ROUNDING, int C>
static __device__ __forceinline__ void stage_pair(const Bands &bands, const Sum &job, const int (&sums)[C][4], int half,
                                                  uint8_t *to) {
    int results[2 * C];
#pragma unroll
    for (int i = 0; i < 2 * C; i++)
        results[i] = rounded<ROUNDING>(bands.scale, job, sums[i % C][2 * half + i / C]);
    if constexpr (C % 2 == 0) {
#pragma unroll
        for (int i = 0; i < 2 * C; i += 4)
            *(uint32_t *)&to[i] = pack(results[i], results[i + 1], pack(results[i + 2], results[i + 3], 0));
    } else {
#pragma unroll
        for (int i = 0; i < 2 * C; i += 2)
            *(uint16_t *)&to[i] = (uint16_t)pack(results[i], results[i + 1], 0);
    }
}

/* N groups of 8 pixels. */
template <Rounding ROUNDING, int C, int N>
static __device__ __forceinline__ void stage_results(const Bands &bands, const Sum &job, const int (&sums)[N][C][4],
                                                     uint8_t *to) {
#pragma unroll
    for (int g = 0; g < N; g++)
#pragma unroll
        for (int half = 0; half < 2; half++)
            stage_pair<ROUNDING, C>(bands, job, sums[g], half, to + (8 * half * Grid<C>::WIDTH + g * 8) * C);
}

/* Loads a 16 x 32 matrix from rows of shared memory. `from` is the row of 16 bytes, an address in shared memory, that
 * this lane names. Lanes 0 to 7 name the upper left rows, then come the lower left, the upper right and the lower right
 * ones. */
static __device__ __forceinline__ void load_matrix(uint32_t from, uint32_t (&a)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from)
                 : "memory");
}

/* How the two bytes of the weights are taken. */
typedef enum Bytes {
    ONE_BYTE,      /* weights are no larger */
    ONE_BY_ONE,    /* two walks over the tile with one set of sums: few registers, so that many blocks are resident */
    BOTH_TOGETHER, /* one walk with two sets: a matrix of pixels serves four products */
} Bytes;

/* Adds the products of all steps to `sums`: with the upper bytes or the only ones (SIGNED), or else the lower. With
 * BOTH, those of the lower bytes go to `low`. `lanes`: for each byte and each step, a lane's part of the bands of the
 * two products. `pieces`: the two of each step, by the mask's row in the upper half, and the column in the lower. */
template <int C, bool SIGNED, bool BOTH, int N, int LOWS>
static __device__ __forceinline__ void add_products(const Bands &bands, const uint4 *__restrict__ lanes,
                                                    const unsigned *__restrict__ pieces, uint32_t base,
                                                    int (&sums)[N][C][4], int (&low)[LOWS][C][4]) {
    const unsigned plane = (unsigned)(bands.rows * bands.pitch);
    const uint4 *low_lanes = lanes + bands.steps * 32;
    pieces += threadIdx.x % 32 / 16;
#pragma unroll 1
    for (int step = 0; step < bands.steps; step++) {
        const uint4 band = lanes[step * 32];
        uint4 low_band;
        if (BOTH)
            low_band = low_lanes[step * 32];
        const unsigned piece = pieces[2 * step];
        const uint32_t from = base + (piece >> 16) * (unsigned)bands.pitch + (piece & 0xffff);
#pragma unroll
        for (int c = 0; c < C; c++)
#pragma unroll
            for (int g = 0; g < N / PRODUCTS; g++) {
                uint32_t a[4];
                load_matrix(from + (unsigned)c * plane + g * PIECE, a);
                multiply<SIGNED>(sums[g * PRODUCTS][c], a, band.x, band.y);
                multiply<SIGNED>(sums[g * PRODUCTS + 1][c], a, band.z, band.w);
                if (BOTH) {
                    multiply<false>(low[BOTH ? g * PRODUCTS : 0][c], a, low_band.x, low_band.y);
                    multiply<false>(low[BOTH ? g * PRODUCTS + 1 : 0][c], a, low_band.z, low_band.w);
                }
            }
    }
}

/* 16 rows of a warp's width: `base` is the lane's row of the tile in shared memory, `to` where its first results are
 * staged. */
template <int C, Bytes BYTES>
static __device__ __forceinline__ void convolve_band(const Sum &job, const Bands &bands,
                                                     const uint4 *__restrict__ lanes,
                                                     const unsigned *__restrict__ pieces, uint32_t base, uint8_t *to) {
    enum { GROUPS = Grid<C>::GROUPS * PRODUCTS, BOTH = BYTES == BOTH_TOGETHER, LOWS = BOTH ? GROUPS : 1 };
    const int start = bands.scale.rounding == ROUND_DIVIDED ? 0 : bands.scale.half;
    int sums[GROUPS][C][4] = {}, low[LOWS][C][4] = {};
    add_products<C, true, BOTH>(bands, lanes, pieces, base, sums, low);
    if (BYTES != ONE_BYTE) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
#pragma unroll
            for (int c = 0; c < C; c++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    sums[g][c][i] = sums[g][c][i] * 256 + (BOTH ? low[BOTH ? g : 0][c][i] : 0) + start;
        if (!BOTH)
            add_products<C, false, false>(bands, lanes + bands.steps * 32, pieces, base, sums, low);
    } else {
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
#pragma unroll
            for (int c = 0; c < C; c++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    sums[g][c][i] += start;
    }
    if (bands.scale.rounding == ROUND_DIVIDED)
        stage_results<ROUND_DIVIDED, C>(bands, job, sums, to);
    else if (bands.scale.rounding == ROUND_TO_EVEN)
        stage_results<ROUND_TO_EVEN, C>(bands, job, sums, to);
    else if (bands.scale.rounding == ROUND_SCALED)
        stage_results<ROUND_SCALED, C>(bands, job, sums, to);
    else
        stage_results<ROUND_SHIFTED, C>(bands, job, sums, to);
}

template <int C, Bytes BYTES>
__global__ void __launch_bounds__(THREADS, BYTES == BOTH_TOGETHER ? 2 : 3)
    convolve_tensor(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ Sum job, const __grid_constant__ Bands bands,
                    const uint4 *__restrict__ lanes) {
    typedef Grid<C> G;
    enum { ROW_BYTES = G::WIDTH * C };
    extern __shared__ __align__(16) uint8_t tile[];
    const int left = blockIdx.x * G::WIDTH, top = blockIdx.y * TILE_ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_x = warp % WARPS_ACROSS * G::WARP_WIDTH, warp_y = warp / WARPS_ACROSS * MATRIX_ROWS;
    fetch<C>(in, job, left - job.width / 2 - bands.shift - bands.skew, top - job.height / 2, bands, tile);
    uint8_t *staged = tile + bands.rows * bands.pitch * C;
    const unsigned *pieces = (const unsigned *)(lanes + bands.steps * 32 * 2);
    __syncthreads();
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(tile + (lane % 16) * bands.pitch + G::ORIGIN + warp_x);
#pragma unroll 1
    for (int y = warp_y; y < TILE_ROWS; y += BAND_ROWS)
        convolve_band<C, BYTES>(job, bands, lanes + lane, pieces, base + (uint32_t)(y * bands.pitch),
                                staged + (y + lane / 4) * ROW_BYTES + (warp_x + lane % 4 * 2) * C);
    __syncthreads();
    /* Pixels leave in long rows. */
    const int bytes = min(G::WIDTH, out.width - left) * C, rows = min((int)TILE_ROWS, out.height - top);
    if (bytes == ROW_BYTES) {
        for (int i = threadIdx.x; i < rows * (ROW_BYTES / 16); i += THREADS) {
            const int y = i / (ROW_BYTES / 16), x = 16 * (i % (ROW_BYTES / 16));
            *(uint4 *)(row_to<uint8_t>(out, top + y) + left * C + x) = *(const uint4 *)&staged[y * ROW_BYTES + x];
        }
    } else {
        for (int y = warp; y < rows; y += THREADS / 32)
            for (int i = lane; i < bytes; i += 32)
                row_to<uint8_t>(out, top + y)[left * C + i] = staged[y * ROW_BYTES + i];
    }
}

static int width_for(int channels) {
    static const int widths[] = {Grid<1>::WIDTH, Grid<2>::WIDTH, Grid<3>::WIDTH, Grid<4>::WIDTH};
    return widths[channels - 1];
}

static Bands bands_of(const Mask *mask, int channels) {
    const int part = channels == 1 ? 16 : 4;
    Bands bands = {};
    bands.shift = (4 - mask->width / 2 % 4) % 4;
    bands.skew = (part - (mask->width / 2 + bands.shift) % part) % part;
    bands.pieces_a_row = (bands.shift + PIECE + mask->width - 1 + PIECE - 1) / PIECE;
    bands.rows = TILE_ROWS + mask->height - 1;
    bands.columns = (bands.skew + width_for(channels) - PIECE + bands.pieces_a_row * PIECE + part - 1) / part * part;
    bands.pitch = ((channels == 1 ? Grid<1>::ORIGIN : 0) + bands.columns + 15) / 16 * 16;
    bands.pitch += bands.pitch / 16 % 2 ? 0 : 16;
    const unsigned parts = (unsigned)(bands.columns / part);
    bands.per_row = 0xFFFFFFFFu / parts + 1;
    return bands;
}

static size_t tile_bytes(const Bands &bands, int width, int channels) {
    const size_t fetched = (size_t)bands.rows * (size_t)bands.pitch * (size_t)channels;
    const size_t staged = (size_t)TILE_ROWS * (size_t)width * (size_t)channels;
    return fetched + staged;
}

/* The shared memory of a tile. */
static size_t tensor_bytes(const Stage *stage) {
    const int channels = stage->out.shape.channels, width = width_for(channels);
    return tile_bytes(bands_of(convolve_job(stage)->mask, channels), width, channels);
}

/* The pieces with weights, an even number, into `list` of one more than there can be; returns the steps that take them.
 */
static int list_pieces(const Mask *mask, const Bands &bands, unsigned *list) {
    int count = 0;
    for (int j = 0; j < mask->height; j++)
        for (int p = 0; p < bands.pieces_a_row; p++) {
            bool some = false;
            for (int i = PIECE * (p - 1) + 1 - bands.shift; i < PIECE * (p + 1) - bands.shift; i++)
                some |= i >= 0 && i < mask->width && mask->weights[j * mask->width + i] != 0;
            if (some)
                list[count++] = (unsigned)j << 16 | (unsigned)p * PIECE;
        }
    if (count == 0)
        list[count++] = 0;
    if (count % 2 == 1)
        list[count++] = NO_PIECE;
    return count / 2;
}

/* The weight in row `k` of a piece and column `n`. */
static int band_weight(const Mask *mask, const FixedPointMask *whole, const Bands &bands, unsigned piece, int k,
                       int n) {
    const int j = (int)(piece >> 16), i = (int)(piece & 0xffff) + k - bands.shift - n;
    return piece != NO_PIECE && i >= 0 && i < mask->width ? whole->whole[j * mask->width + i] : 0;
}

/* A lane's part of a 32 x 8 matrix of bytes. lane / 4 is the column, lane % 4 * 4 the first of four rows (PTX ISA,
 * matrix fragments for mma.m16n8k32). `byte` 0 is the upper one, or the only one. */
static uint4 lane_of(const Mask *mask, const FixedPointMask *whole, const Bands &bands, int byte,
                     const unsigned *pieces, int lane) {
    uint32_t words[4] = {};
    for (int i = 0; i < 16; i++) {
        const int product = i / 8, half = i / 4 % 2;
        const int weight = band_weight(mask, whole, bands, pieces[half], lane % 4 * 4 + i % 4, 8 * product + lane / 4);
        const int low = whole->bytes == 2 ? weight & 255 : 0;
        const int value = whole->bytes == 1 ? weight : byte == 0 ? (weight - low) / 256 : low;
        words[i / 4] |= (uint32_t)(value & 255) << i % 4 * 8;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* The lanes of the mask's bands on the device: the same for all numbers of channels. */
static Status make_bands(Queue *queue, const void *from, void *entry) {
    const Mask *mask = (const Mask *)from;
    const Bands bands = bands_of(mask, 1);
    const size_t most = (size_t)bands.pieces_a_row * (size_t)mask->height + 2;
    FixedPointMask whole;
    uint4 *lanes = (uint4 *)malloc(most * (32 * sizeof(uint4) + sizeof(unsigned)));
    Status status = fixed_point_mask(mask, &whole);
    if (status == STATUS_OK && !lanes)
        status = fail(STATUS_DEVICE, "no memory for a mask's bands");
    if (status == STATUS_OK) {
        unsigned *pieces = (unsigned *)(lanes + most * 32);
        const int steps = list_pieces(mask, bands, pieces), count = steps * 32 * 2;
        const unsigned any = pieces[0]; /* pixels where there is no piece: their weights are 0 */
        for (int i = 0; i < count; i++)
            lanes[i] = lane_of(mask, &whole, bands, i / (32 * steps), pieces + i / 32 % steps * 2, i % 32);
        for (int i = 0; i < 2 * steps; i++)
            ((unsigned *)(lanes + count))[i] = pieces[i] == NO_PIECE ? any : pieces[i];
        ScaleFacts facts = {};
        facts.scale = scale_of(&whole, mask);
        facts.more = steps * 4 + whole.bytes;
        status = gpu_keep(queue, (GpuKept *)entry, mask, lanes,
                          (size_t)count * sizeof *lanes + 2 * (size_t)steps * sizeof *pieces, facts.facts);
    }
    fixed_point_mask_free(&whole);
    free(lanes);
    return status;
}

static const CacheKind kept_bands = GPU_KEPT(make_bands);

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_fixed_point(device, stage, why_not))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return tensor_bytes(stage) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
#define KERNELS(C)                                                                                                     \
    {                                                                                                                  \
        (const void *)convolve_tensor<C, ONE_BYTE>, (const void *)convolve_tensor<C, ONE_BY_ONE>,                      \
            (const void *)convolve_tensor<C, BOTH_TOGETHER>                                                            \
    }
    static const void *const kernels[4][3] = {KERNELS(1), KERNELS(2), KERNELS(3), KERNELS(4)};
    const int channels = stage->out.shape.channels, width = width_for(channels);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Bands bands = bands_of(convolve_job(stage)->mask, channels);
    const GpuKept *kept;
    TRY(gpu_kept(queue, &kept_bands, convolve_job(stage)->mask, &kept));
    memcpy(&bands.scale, kept->facts, sizeof bands.scale);
    const int more = kept->facts[sizeof bands.scale / sizeof(int)], bytes = more % 4;
    bands.steps = more / 4;
    void *lanes = kept->memory.memory;
    if (job.bias != 0)
        bands.scale.rounding = ROUND_DIVIDED;
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)), dim3(THREADS),
                           tile_bytes(bands, width, channels)};
    void *arguments[] = {&in, &out, &job, &bands, &lanes};
    const Bytes how = bytes == 1 ? ONE_BYTE : bands.steps <= FEW_STEPS ? ONE_BY_ONE : BOTH_TOGETHER;
    return gpu_launch(queue, "convolve tensor", kernels[channels - 1][how], launch, arguments);
}

extern "C" const Level cuda_convolve_tensor = {
    .op = &op_convolve,
    .name = "tensor",
    .idea = "each row of the mask as a banded matrix of bytes, multiplied with pixels by the tensor cores",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .run = run,
};
