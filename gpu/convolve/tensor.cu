/* tensor.cu: u8 convolution on the tensor cores, which multiply matrices of bytes and sum exactly.
 * For one row of the mask, the sums of 8 neighbouring pixels are a product with a banded Toeplitz matrix:
 *     out(y, x + n) = sum over k of in(y, x + k) * band(k, n),  band(k, n) = weight(k - n).
 * A 16 x 32 matrix is 16 rows of the picture, two pieces of 16 pixels each: two mask rows where a window of 16 pixels
 * holds all that 8 results need, else parts of one row. Weights are whole numbers of 16 bits (whole.h), of which the
 * upper and the lower byte are multiplied apart; one byte is enough for masks of small whole numbers.
 * Pixels go into planes, one per channel, and as bytes: nothing is converted before the sums are there. */
#include "gpu/kernel.cuh"

extern "C" {
#include "gpu/convolve/whole.h"
}

#include <stdlib.h>
#include <string.h>

enum {
    WARPS_ACROSS = 4,
    WARPS_DOWN = 2,
    THREADS = 32 * WARPS_ACROSS * WARPS_DOWN,
    MATRIX_ROWS = 16,
    TILE_ROWS = MATRIX_ROWS * WARPS_DOWN,
    RESULTS = 8, /* of a matrix product in x */
    PIECE = 16   /* pixels of a row in the matrix */
};

/* Products that a warp has in flight for C channels: that many groups of 8 pixels next to each other. */
template <int C> struct Shape8 {
    enum { GROUPS = C == 1 ? 8 : C == 2 ? 4 : 2, WARP_WIDTH = GROUPS * RESULTS, WIDTH = WARP_WIDTH * WARPS_ACROSS };
};

/* A mask as bands: how the steps walk over the tile. */
typedef struct Bands {
    int shift;         /* columns before the mask's first, so that the tile begins on a multiple of 4 */
    int pieces_a_row;  /* of 16 columns, for one mask row */
    int steps;         /* of two pieces each */
    int pitch, rows;   /* of a plane, in bytes: 16 times an odd number, so that 8 rows lie in different banks */
    float unit;        /* 2^-exponent */
} Bands;

static __device__ __forceinline__ void multiply_signed(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

static __device__ __forceinline__ void multiply_unsigned(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* The bytes at 0 <= i, j < 16 of four words, as the low half of a word. */
static __device__ __forceinline__ uint32_t two_bytes(const uint32_t (&words)[4], int i, int j) {
    return __byte_perm(words[i / 4], words[j / 4], (unsigned)(i % 4 + (4 + j % 4) * 16));
}

/* Four pixels of aligned memory, one word a plane. */
template <int C> static __device__ __forceinline__ void spread(const uint8_t *from, uint8_t *to, int plane) {
    uint32_t words[4] = {};
    if (C == 4)
        *(uint4 *)words = *(const uint4 *)from;
    else
        for (int i = 0; i < C; i++)
            words[i] = ((const uint32_t *)from)[i];
#pragma unroll
    for (int c = 0; c < C; c++)
        *(uint32_t *)&to[c * plane] =
            C == 1 ? words[0]
                   : __byte_perm(two_bytes(words, c, C + c), two_bytes(words, 2 * C + c, 3 * C + c), 0x5410);
}

template <int C>
static __device__ __forceinline__ void fetch(const Plane &in, const Sum &job, int left, int top, int columns,
                                             const Bands &bands, uint8_t *tile) {
    const int plane = bands.rows * bands.pitch, quads = columns / 4;
    const bool inside = left >= 0 && top >= 0 && left + columns <= in.width && top + bands.rows <= in.height;
    if (inside) {
#pragma unroll 4
        for (int i = threadIdx.x; i < quads * bands.rows; i += THREADS) {
            const int y = i / quads, x = 4 * (i - y * quads);
            spread<C>(row_of<uint8_t>(in, top + y) + (left + x) * C, tile + y * bands.pitch + x, plane);
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

template <int BYTES> static __device__ __forceinline__ uint32_t result_of(const Bands &bands, const Sum &job, int high, int low) {
    float sum = (float)(BYTES == 2 ? high * 256 + low : high) * bands.unit;
    if (job.divisor != 1 || job.bias != 0)
        sum = finish(job, sum);
    return Stored<uint8_t>::from(sum);
}

/* One lane's part of a step's band: the upper bytes' two registers, the lower bytes' two. */
template <int C, int BYTES>
__global__ void __launch_bounds__(THREADS)
    convolve_tensor(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                    const __grid_constant__ Bands bands, const uint4 *__restrict__ lanes) {
    typedef Shape8<C> S;
    extern __shared__ __align__(16) uint8_t tile[];
    const int left = blockIdx.x * S::WIDTH, top = blockIdx.y * TILE_ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_x = warp % WARPS_ACROSS * S::WARP_WIDTH, warp_y = warp / WARPS_ACROSS * MATRIX_ROWS;
    const int plane = bands.rows * bands.pitch, row_width = bands.pieces_a_row * PIECE;
    fetch<C>(in, job, left - job.width / 2 - bands.shift, top - job.height / 2, S::WIDTH - RESULTS + row_width, bands,
             tile);
    __syncthreads();
    int high[S::GROUPS][C][4] = {}, low[BYTES == 2 ? S::GROUPS : 1][C][4] = {};
    const uint8_t *base = tile + (warp_y + lane / 4) * bands.pitch + warp_x + lane % 4 * 4;
    int offsets[2], row = 0, column = 0;
    for (int step = 0; step < bands.steps; step++) {
        const uint4 band = lanes[step * 32 + lane];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            offsets[half] = row * bands.pitch + column;
            column += PIECE;
            if (column == row_width) {
                column = 0;
                row++;
            }
        }
#pragma unroll
        for (int g = 0; g < S::GROUPS; g++)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const uint8_t *from = base + c * plane + g * RESULTS;
                const uint32_t a[4] = {*(const uint32_t *)&from[offsets[0]],
                                       *(const uint32_t *)&from[offsets[0] + 8 * bands.pitch],
                                       *(const uint32_t *)&from[offsets[1]],
                                       *(const uint32_t *)&from[offsets[1] + 8 * bands.pitch]};
                multiply_signed(high[g][c], a, band.x, band.y);
                if (BYTES == 2)
                    multiply_unsigned(low[BYTES == 2 ? g : 0][c], a, band.z, band.w);
            }
    }
    /* Through shared memory, so that pixels leave in long rows. */
    __syncthreads();
    enum { ROW_BYTES = S::WIDTH * C };
#pragma unroll
    for (int g = 0; g < S::GROUPS; g++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            uint8_t *to = tile + (warp_y + lane / 4 + 8 * half) * ROW_BYTES + (warp_x + g * RESULTS + lane % 4 * 2) * C;
            uint32_t words[2] = {};
#pragma unroll
            for (int v = 0; v < 2; v++)
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const int i = 2 * half + v, at = v * C + c;
                    words[at / 4] |= (result_of<BYTES>(bands, job, high[g][c][i], low[BYTES == 2 ? g : 0][c][i]) & 255)
                                     << at % 4 * 8;
                }
            if (C == 4)
                *(uint2 *)to = make_uint2(words[0], words[1]);
            else
                for (int i = 0; i < C; i++)
                    ((uint16_t *)to)[i] = (uint16_t)(words[i / 2] >> i % 2 * 16);
        }
    __syncthreads();
    const int bytes = min(S::WIDTH, out.width - left) * C, rows = min((int)TILE_ROWS, out.height - top);
    if (bytes == ROW_BYTES) {
        for (int i = threadIdx.x; i < rows * (ROW_BYTES / 16); i += THREADS) {
            const int y = i / (ROW_BYTES / 16), x = 16 * (i % (ROW_BYTES / 16));
            *(uint4 *)(row_to<uint8_t>(out, top + y) + left * C + x) = *(const uint4 *)&tile[y * ROW_BYTES + x];
        }
    } else {
        for (int y = warp; y < rows; y += THREADS / 32)
            for (int i = lane; i < bytes; i += 32)
                row_to<uint8_t>(out, top + y)[left * C + i] = tile[y * ROW_BYTES + i];
    }
}

static Bands bands_of(const Mask *mask, int width) {
    Bands bands = {};
    bands.shift = (4 - mask->width / 2 % 4) % 4;
    bands.pieces_a_row = (bands.shift + RESULTS + mask->width - 1 + PIECE - 1) / PIECE;
    const int pieces = bands.pieces_a_row * mask->height;
    bands.steps = (pieces + 1) / 2;
    bands.rows = TILE_ROWS + mask->height - 1 + pieces % 2; /* the last step's second piece may have no row of its own */
    bands.pitch = width - RESULTS + bands.pieces_a_row * PIECE;
    bands.pitch = (bands.pitch + 15) / 16 * 16;
    bands.pitch += bands.pitch / 16 % 2 ? 0 : 16;
    return bands;
}

static size_t tile_bytes(const Bands &bands, int width, int channels) {
    const size_t fetched = (size_t)bands.rows * (size_t)bands.pitch * (size_t)channels;
    const size_t staged = (size_t)TILE_ROWS * (size_t)width * (size_t)channels;
    return fetched > staged ? fetched : staged;
}

static int width_for(int channels) {
    static const int widths[] = {Shape8<1>::WIDTH, Shape8<2>::WIDTH, Shape8<3>::WIDTH, Shape8<4>::WIDTH};
    return widths[channels - 1];
}

extern "C" size_t tensor_bytes(const Stage *stage) {
    const int channels = stage->out.shape.channels, width = width_for(channels);
    return tile_bytes(bands_of(stage->convolve.mask, width), width, channels);
}

/* The weight in row `k` and column `n` of a step's band. */
static int band_weight(const Mask *mask, const WholeMask *whole, const Bands &bands, int step, int k, int n) {
    const int piece = 2 * step + k / PIECE, j = piece / bands.pieces_a_row;
    const int i = piece % bands.pieces_a_row * PIECE + k % PIECE - bands.shift - n;
    return j < mask->height && i >= 0 && i < mask->width ? whole->whole[j * mask->width + i] : 0;
}

/* As the lanes of a warp hold a 32 x 8 matrix of bytes: lane / 4 is the column, lane % 4 * 4 the first of four rows
 * (PTX ISA, matrix fragments for mma.m16n8k32). */
static void fill_lanes(const Mask *mask, const WholeMask *whole, const Bands &bands, uint4 *lanes) {
    for (int step = 0; step < bands.steps; step++)
        for (int lane = 0; lane < 32; lane++) {
            uint32_t words[4] = {};
            for (int half = 0; half < 2; half++)
                for (int i = 0; i < 4; i++) {
                    const int weight =
                        band_weight(mask, whole, bands, step, half * PIECE + lane % 4 * 4 + i, lane / 4);
                    const int low = whole->bytes == 2 ? weight & 255 : 0;
                    const int high = whole->bytes == 2 ? (weight - low) / 256 : weight;
                    words[half] |= (uint32_t)(high & 255) << 8 * i;
                    words[2 + half] |= (uint32_t)low << 8 * i;
                }
            lanes[step * 32 + lane] = make_uint4(words[0], words[1], words[2], words[3]);
        }
}

/* The lanes of the mask's bands on the device; made anew only when the mask changes. */
static Status upload_bands(Device *device, const Mask *mask, Bands *bands, int *bytes, void **memory) {
    GpuDevice *gpu = gpu_of(device);
    const size_t size = (size_t)bands->steps * 32 * sizeof(uint4);
    if (!gpu_is_kept(&gpu->bands, mask)) {
        WholeMask whole;
        uint4 *lanes = (uint4 *)malloc(size);
        Status status = whole_mask(mask, &whole);
        if (status == STATUS_OK && !lanes)
            status = fail(STATUS_DEVICE, "no memory for a mask's bands");
        if (status == STATUS_OK) {
            fill_lanes(mask, &whole, *bands, lanes);
            const float facts[2] = {ldexpf(1, -whole.exponent), (float)whole.bytes};
            status = gpu_keep(device, &gpu->bands, mask, lanes, size, facts);
        }
        whole_mask_free(&whole);
        free(lanes);
        TRY(status);
    }
    bands->unit = gpu->bands.facts[0];
    *bytes = (int)gpu->bands.facts[1];
    *memory = gpu->bands.memory.memory;
    return STATUS_OK;
}

extern "C" Status cuda_convolve_tensor(Device *device, const Stage *stage) {
    static const void *const kernels[4][2] = {
        {(const void *)convolve_tensor<1, 1>, (const void *)convolve_tensor<1, 2>},
        {(const void *)convolve_tensor<2, 1>, (const void *)convolve_tensor<2, 2>},
        {(const void *)convolve_tensor<3, 1>, (const void *)convolve_tensor<3, 2>},
        {(const void *)convolve_tensor<4, 1>, (const void *)convolve_tensor<4, 2>},
    };
    const int channels = stage->out.shape.channels, width = width_for(channels);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Bands bands = bands_of(stage->convolve.mask, width);
    int bytes;
    void *lanes;
    TRY(upload_bands(device, stage->convolve.mask, &bands, &bytes, &lanes));
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)), dim3(THREADS),
                           tile_bytes(bands, width, channels)};
    void *arguments[] = {&in, &out, &job, &bands, &lanes};
    return gpu_launch(device, "convolve tensor", kernels[channels - 1][bytes - 1], launch, arguments);
}
