/* tensor.cu: u8 convolution on the tensor cores, which multiply matrices of bytes and sum exactly.
 * For one row of the mask, the sums of 16 neighbouring pixels are a product with a banded Toeplitz matrix:
 *     out(y, x + n) = sum over k of in(y, x + k) * band(k, n),  band(k, n) = weight(k - n).
 * A 16 x 32 matrix of pixels is 16 rows of the picture, in two pieces of 16 pixels each; the pieces of all mask rows are
 * taken two at a time. Weights are whole numbers of 16 bits (whole.h), of which the
 * upper and the lower byte are multiplied apart; one byte is enough for masks of small whole numbers.
 * Pixels go into planes, one per channel, and as bytes: nothing is converted before the sums are there. */
#include "gpu/kernel.cuh"

extern "C" {
#include "gpu/convolve/whole.h"
}

#include <stdlib.h>

enum {
    WARPS_ACROSS = 4,
    WARPS_DOWN = 2,
    THREADS = 32 * WARPS_ACROSS * WARPS_DOWN,
    MATRIX_ROWS = 16,
    TILE_ROWS = MATRIX_ROWS * WARPS_DOWN,
    PIECE = 16, /* pixels of a row in the matrix, and results in x, from two products of 8 */
    PRODUCTS = 2
};

/* Matrices of pixels that a warp has in flight for C channels: that many pieces next to each other. */
template <int C> struct Grid {
    enum {
        GROUPS = C == 1 ? 4 : C == 2 ? 2 : 1,
        WARP_WIDTH = GROUPS * PIECE,
        WIDTH = WARP_WIDTH * WARPS_ACROSS,
        ORIGIN = C == 1 ? 16 : 0 /* where a tile's rows begin: gray ones are fetched 16 aligned pixels at a time */
    };
};

/* A mask as bands: how the steps walk over the tile. */
typedef struct Bands {
    int shift;         /* columns before the mask's first, so that the tile begins on a multiple of 4 */
    int pieces_a_row;  /* of 16 columns, for one mask row */
    int steps;         /* of two pieces each */
    int skew;          /* columns fetched before that, for gray, so that 16 pixels are aligned */
    int pitch, rows;   /* of a plane, in bytes: 16 times an odd number, so that 8 rows lie in different banks */
    int columns;       /* of a row that are fetched */
    unsigned per_row;  /* 2^32 / the parts in which a row is fetched, rounded up: divides by multiplying */
    int exponent;      /* sums are 2^exponent times the result's */
    bool exact;        /* the weights lost nothing: halves are halves, and must be rounded to even */
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

/* Four pixels of aligned memory, one word a plane. */
template <int C> static __device__ __forceinline__ void spread(const uint8_t *from, uint8_t *to, int plane) {
    uint32_t words[4], planes[4];
    if constexpr (C == 4) {
        *(uint4 *)words = *(const uint4 *)from;
        const uint32_t even01 = __byte_perm(words[0], words[1], 0x5140), odd01 = __byte_perm(words[0], words[1], 0x7362);
        const uint32_t even23 = __byte_perm(words[2], words[3], 0x5140), odd23 = __byte_perm(words[2], words[3], 0x7362);
        planes[0] = __byte_perm(even01, even23, 0x5410);
        planes[1] = __byte_perm(even01, even23, 0x7632);
        planes[2] = __byte_perm(odd01, odd23, 0x5410);
        planes[3] = __byte_perm(odd01, odd23, 0x7632);
    } else if constexpr (C == 3) {
        for (int i = 0; i < 3; i++)
            words[i] = ((const uint32_t *)from)[i];
        planes[0] = __byte_perm(__byte_perm(words[0], words[1], 0x0630), words[2], 0x5210);
        planes[1] = __byte_perm(__byte_perm(words[0], words[1], 0x0741), words[2], 0x6210);
        planes[2] = __byte_perm(__byte_perm(words[0], words[1], 0x0052), words[2], 0x7410);
    } else {
        *(uint2 *)words = *(const uint2 *)from;
        planes[0] = __byte_perm(words[0], words[1], 0x6420);
        planes[1] = __byte_perm(words[0], words[1], 0x7531);
    }
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

/* Two sums as bytes, clamped, the first lower, below 16 bits of another word. */
static __device__ __forceinline__ uint32_t pack(int first, int second, uint32_t above) {
    uint32_t packed;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(second), "r"(first), "r"(above));
    return packed;
}

/* How a sum becomes a result. */
typedef enum Rounding {
    ROUND_AS_IS,   /* half of 2^exponent is in the sum already */
    ROUND_TO_EVEN, /* halves occur */
    ROUND_DIVIDED  /* there is a divisor or a bias */
} Rounding;

template <Rounding ROUNDING> static __device__ __forceinline__ int rounded(const Bands &bands, const Sum &job, int sum) {
    if constexpr (ROUNDING == ROUND_AS_IS)
        return sum >> bands.exponent;
    else if constexpr (ROUNDING == ROUND_TO_EVEN)
        return (sum + ((1 << bands.exponent) >> 1) - (bands.exponent ? 1 - (sum >> bands.exponent & 1) : 0)) >>
               bands.exponent;
    else
        return __float2int_rn(finish(job, ldexpf((float)sum, -bands.exponent)));
}

/* The results of two pixels next to each other, as they lie in a row. */
template <Rounding ROUNDING, int C, int BYTES>
static __device__ __forceinline__ void stage_pair(const Bands &bands, const Sum &job, const int (&high)[C][4],
                                                  const int (&low)[C][4], int half, uint8_t *to) {
    int results[2 * C];
#pragma unroll
    for (int i = 0; i < 2 * C; i++) {
        const int at = 2 * half + i / C, c = i % C;
        results[i] = rounded<ROUNDING>(bands, job, BYTES == 2 ? high[c][at] * 256 + low[c][at] : high[c][at]);
    }
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
template <Rounding ROUNDING, int C, int BYTES, int N, int LOWS>
static __device__ __forceinline__ void stage_results(const Bands &bands, const Sum &job, const int (&high)[N][C][4],
                                                     const int (&low)[LOWS][C][4], uint8_t *to, int row_bytes) {
#pragma unroll
    for (int g = 0; g < N; g++)
#pragma unroll
        for (int half = 0; half < 2; half++)
            stage_pair<ROUNDING, C, BYTES>(bands, job, high[g], low[BYTES == 2 ? g : 0], half,
                                           to + 8 * half * row_bytes + g * 8 * C);
}

/* A 16 x 32 matrix from rows of shared memory; `from` is the row of 16 bytes that this lane names: lanes 0 to 7 the upper
 * left rows, then the lower left, the upper right and the lower right ones. */
static __device__ __forceinline__ void load_matrix(const uint8_t *from, uint32_t (&a)[4]) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"((uint32_t)__cvta_generic_to_shared(from))
                 : "memory");
}

/* `lanes`: for each step and product, a lane's part of the band: the upper bytes' two registers, the lower bytes' two. */
template <int C, int BYTES>
__global__ void __launch_bounds__(THREADS, BYTES == 2 ? 2 : 4)
    convolve_tensor(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                    const __grid_constant__ Bands bands, const uint4 *__restrict__ lanes) {
    typedef Grid<C> G;
    enum { PRODUCT_GROUPS = G::GROUPS * PRODUCTS, LOWS = BYTES == 2 ? PRODUCT_GROUPS : 1 };
    extern __shared__ __align__(16) uint8_t tile[];
    const int left = blockIdx.x * G::WIDTH, top = blockIdx.y * TILE_ROWS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_x = warp % WARPS_ACROSS * G::WARP_WIDTH, warp_y = warp / WARPS_ACROSS * MATRIX_ROWS;
    const int plane = bands.rows * bands.pitch, row_width = bands.pieces_a_row * PIECE;
    fetch<C>(in, job, left - job.width / 2 - bands.shift - bands.skew, top - job.height / 2, bands, tile);
    const bool plain = job.divisor == 1 && job.bias == 0;
    const int start = plain && !bands.exact ? 1 << bands.exponent >> 1 : 0;
    int high[PRODUCT_GROUPS][C][4], low[LOWS][C][4];
#pragma unroll
    for (int g = 0; g < PRODUCT_GROUPS; g++)
#pragma unroll
        for (int c = 0; c < C; c++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                high[g][c][i] = BYTES == 2 ? 0 : start;
                if (BYTES == 2)
                    low[g][c][i] = start;
            }
    __syncthreads();
    const uint8_t *base = tile + (warp_y + lane % 16) * bands.pitch + G::ORIGIN + warp_x;
    lanes += lane;
    int row = 0, column = 0;
    for (int step = 0; step < bands.steps; step++) {
        uint4 band[PRODUCTS];
#pragma unroll
        for (int n = 0; n < PRODUCTS; n++)
            band[n] = lanes[(step * PRODUCTS + n) * 32];
        int offset = 0;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            offset = half == 0 || lane >= 16 ? row * bands.pitch + column : offset;
            column += PIECE;
            if (column == row_width) {
                column = 0;
                row++;
            }
        }
#pragma unroll
        for (int c = 0; c < C; c++)
#pragma unroll
            for (int g = 0; g < G::GROUPS; g++) {
                uint32_t a[4];
                load_matrix(base + offset + c * plane + g * PIECE, a);
#pragma unroll
                for (int n = 0; n < PRODUCTS; n++) {
                    multiply_signed(high[g * PRODUCTS + n][c], a, band[n].x, band[n].y);
                    if (BYTES == 2)
                        multiply_unsigned(low[BYTES == 2 ? g * PRODUCTS + n : 0][c], a, band[n].z, band[n].w);
                }
            }
    }
    /* Through shared memory, so that pixels leave in long rows. */
    __syncthreads();
    enum { ROW_BYTES = G::WIDTH * C };
    uint8_t *to = tile + (warp_y + lane / 4) * ROW_BYTES + (warp_x + lane % 4 * 2) * C;
    if (!plain)
        stage_results<ROUND_DIVIDED, C, BYTES>(bands, job, high, low, to, ROW_BYTES);
    else if (bands.exact)
        stage_results<ROUND_TO_EVEN, C, BYTES>(bands, job, high, low, to, ROW_BYTES);
    else
        stage_results<ROUND_AS_IS, C, BYTES>(bands, job, high, low, to, ROW_BYTES);
    __syncthreads();
    const int bytes = min(G::WIDTH, out.width - left) * C, rows = min((int)TILE_ROWS, out.height - top);
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
    const int pieces = bands.pieces_a_row * mask->height;
    bands.steps = (pieces + 1) / 2;
    bands.rows = TILE_ROWS + mask->height - 1 + pieces % 2; /* the last step's second piece may have no row of its own */
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
    return fetched > staged ? fetched : staged;
}

extern "C" size_t tensor_bytes(const Stage *stage) {
    const int channels = stage->out.shape.channels, width = width_for(channels);
    return tile_bytes(bands_of(stage->convolve.mask, channels), width, channels);
}

/* The weight in row `k` and column `n` of a step's band. */
static int band_weight(const Mask *mask, const WholeMask *whole, const Bands &bands, int step, int k, int n) {
    const int piece = 2 * step + k / PIECE, j = piece / bands.pieces_a_row;
    const int i = piece % bands.pieces_a_row * PIECE + k % PIECE - bands.shift - n;
    return j < mask->height && i >= 0 && i < mask->width ? whole->whole[j * mask->width + i] : 0;
}

/* As the lanes of a warp hold a 32 x 8 matrix of bytes: lane / 4 is the column, lane % 4 * 4 the first of four rows
 * (PTX ISA, matrix fragments for mma.m16n8k32). */
static uint4 lane_of(const Mask *mask, const WholeMask *whole, const Bands &bands, int step, int product, int lane) {
    uint32_t words[4] = {};
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++) {
            const int weight =
                band_weight(mask, whole, bands, step, half * PIECE + lane % 4 * 4 + i, 8 * product + lane / 4);
            const int low = whole->bytes == 2 ? weight & 255 : 0;
            const int high = whole->bytes == 2 ? (weight - low) / 256 : weight;
            words[half] |= (uint32_t)(high & 255) << 8 * i;
            words[2 + half] |= (uint32_t)low << 8 * i;
        }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* The lanes of the mask's bands on the device; made anew only when the mask changes. */
static Status upload_bands(Device *device, const Mask *mask, Bands *bands, int *bytes, void **memory) {
    GpuDevice *gpu = gpu_of(device);
    const size_t size = (size_t)bands->steps * PRODUCTS * 32 * sizeof(uint4);
    if (!gpu_is_kept(&gpu->bands, mask)) {
        WholeMask whole;
        uint4 *lanes = (uint4 *)malloc(size);
        Status status = whole_mask(mask, &whole);
        if (status == STATUS_OK && !lanes)
            status = fail(STATUS_DEVICE, "no memory for a mask's bands");
        if (status == STATUS_OK) {
            for (int i = 0; i < bands->steps * PRODUCTS * 32; i++)
                lanes[i] = lane_of(mask, &whole, *bands, i / (32 * PRODUCTS), i / 32 % PRODUCTS, i % 32);
            const int facts[] = {whole.exponent, whole.bytes, whole.error == 0};
            status = gpu_keep(device, &gpu->bands, mask, lanes, size, facts);
        }
        whole_mask_free(&whole);
        free(lanes);
        TRY(status);
    }
    bands->exponent = gpu->bands.facts[0];
    *bytes = gpu->bands.facts[1];
    bands->exact = gpu->bands.facts[2] != 0;
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
    Bands bands = bands_of(stage->convolve.mask, channels);
    int bytes;
    void *lanes;
    TRY(upload_bands(device, stage->convolve.mask, &bands, &bytes, &lanes));
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)), dim3(THREADS),
                           tile_bytes(bands, width, channels)};
    void *arguments[] = {&in, &out, &job, &bands, &lanes};
    return gpu_launch(device, "convolve tensor", kernels[channels - 1][bytes - 1], launch, arguments);
}
