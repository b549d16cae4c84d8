/* products.cuh: the first and the last kernel of scaled for u8 as products of matrices of bytes, on the tensor cores.
 * Down: 8 points of the grid are a band of weights times 32 rows of pixels,
 *     points(j, x) = sum over y of band(j, y) * in(y, x),
 * the upper and the lower bytes of the weights in rows of their own. A warp marches down 64 columns with the sums of
 * the 24 points that 32 rows belong to in registers. A lane may hold any rows as long as the band agrees. It takes 8 of
 * them and transposes blocks of 4 x 4 bytes: no value changes lanes.
 * Up: 8 rows are a band times the up to 16 points that they are made of. A point stays in its place until the one 16
 * further on takes it, and the band turns with them. Points are f32: added to 256, the lower three bytes of their bits
 * are fixed-point numbers, and each of these bytes is multiplied. */
#ifndef GLINT_GPU_GAUSSIAN_PRODUCTS_CUH
#define GLINT_GPU_GAUSSIAN_PRODUCTS_CUH

#include "gpu/gaussian/grid.cuh"

enum {
    PRODUCT_TAPS = 14,
    PRODUCT_STEP_MIN = 11, /* 32 rows belong to 17 points at most, of three groups of 8 */
    PRODUCT_WARPS = 4,
    PRODUCT_BLOCKS = 3, /* of the first kernel on a multiprocessor */
    PRODUCT_THREADS = 32 * PRODUCT_WARPS,
    SIDE = 8,  /* rows or points of a product, and its columns */
    TILES = 8, /* products next to each other */
    LINE = SIDE * TILES,
    SLOTS = 16,
    GROUPS = 3,
    CHUNK_ROWS = 32,
    PLANES = 3,
    UP_EXPONENT = 17, /* of the weights' scale: a result is then the third byte of a sum */
    DOWN_EXPONENT_MAX = 23
};

/* How the rows are cut: strips of `chunks` times 32 rows, of which there are `all`. Row 0 is the first that counts for
 * a point, (taps - 1) * step above the picture. */
typedef struct Chunks {
    int chunks, all, count, rows; /* rows: of sums that a strip has */
} Chunks;

/* The first group of points that chunk `c` belongs to. */
static __host__ __device__ inline int group_of(int c, int step) {
    return CHUNK_ROWS * c / step / SIDE;
}

/* sums += a * b, 16 x 32 times 32 x 8; and 16 x 16 times 16 x 8. */
static __device__ __forceinline__ void multiply_rows(int (&sums)[4], uint4 a, uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
#endif
}
static __device__ __forceinline__ void multiply_points(int (&sums)[4], const int (&start)[4], uint2 a, uint32_t b) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};"
        : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(b), "r"(start[0]), "r"(start[1]), "r"(start[2]), "r"(start[3]));
#endif
}

/* A lane's 8 rows of a chunk, from row y on, each of 8 values. */
static __device__ __forceinline__ void load_rows(const Plane &in, BorderMode border, uint32_t outside, int x, int y,
                                                 uint2 (&rows)[SIDE]) {
    if (x >= in.width)
        return;
    if (y >= 0 && y + SIDE <= in.height) {
        const uint8_t *from = row_of<uint8_t>(in, y) + x;
#pragma unroll
        for (int i = 0; i < SIDE; i++, from += in.stride)
            rows[i] = *(const uint2 *)from;
    } else {
#pragma unroll
        for (int i = 0; i < SIDE; i++) {
            const int sy = inside_index(border, y + i, in.height);
            rows[i] = sy < 0 ? make_uint2(outside, outside) : *(const uint2 *)(row_of<uint8_t>(in, sy) + x);
        }
    }
}

/* 4 rows of 4 bytes become 4 columns. */
static __device__ __forceinline__ void transpose(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                                                 uint32_t (&columns)[4]) {
    const uint32_t low_ab = __byte_perm(a, b, 0x5140), high_ab = __byte_perm(a, b, 0x7362);
    const uint32_t low_cd = __byte_perm(c, d, 0x5140), high_cd = __byte_perm(c, d, 0x7362);
    columns[0] = __byte_perm(low_ab, low_cd, 0x5410);
    columns[1] = __byte_perm(low_ab, low_cd, 0x7632);
    columns[2] = __byte_perm(high_ab, high_cd, 0x5410);
    columns[3] = __byte_perm(high_ab, high_cd, 0x7632);
}

/* 8 points are complete: a lane has 16 values of one. */
static __device__ __forceinline__ void put_points(const int (&sums)[TILES][4], float scale, float *to) {
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int t = 0; t < TILES; t += 4) {
            float values[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                values[i] = (float)(sums[t + i][half] * 256 + sums[t + i][2 + half]) * scale;
            *(float4 *)(to + half * TILES + t) = make_float4(values[0], values[1], values[2], values[3]);
        }
}

/* `bands`: for each of `period` chunks, and each group of points, the lanes' weights. */
static __global__ void __launch_bounds__(PRODUCT_THREADS, PRODUCT_BLOCKS)
    down_products(const __grid_constant__ Plane in, int step, BorderMode border, uint32_t outside,
                  const __grid_constant__ Chunks chunks, const uint4 *__restrict__ bands, int period, float scale,
                  float *sums_to, int pitch) {
    const int lane = threadIdx.x % 32, left = (blockIdx.x * PRODUCT_WARPS + (int)threadIdx.x / 32) * LINE;
    const int first = blockIdx.y * chunks.chunks, last = min(first + chunks.chunks, chunks.all);
    const int x = left + lane / 4 * TILES;
    if (left >= in.width)
        return;
    int group = group_of(first, step), y = first * CHUNK_ROWS - (PRODUCT_TAPS - 1) * step + lane % 4 * SIDE;
    int phase = first % period;
    float *to = sums_to + ((size_t)blockIdx.y * chunks.rows + lane / 4) * pitch + left + lane % 4 * 2 * TILES;
    int sums[GROUPS][TILES][4] = {};
    uint2 rows[SIDE] = {};
    load_rows(in, border, outside, x, y, rows);
#pragma unroll 1
    for (int c = first; c < last; c++) {
        uint32_t pixels[2][TILES / 4][4];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const uint2 *four = &rows[4 * half];
            transpose(four[0].x, four[1].x, four[2].x, four[3].x, pixels[half][0]);
            transpose(four[0].y, four[1].y, four[2].y, four[3].y, pixels[half][1]);
        }
        y += CHUNK_ROWS;
        if (c + 1 < last)
            load_rows(in, border, outside, x, y, rows);
        for (const int now = group_of(c, step); group < now; group++, to += SIDE * pitch) {
            put_points(sums[0], scale, to);
#pragma unroll
            for (int t = 0; t < TILES; t++)
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    sums[0][t][i] = sums[1][t][i];
                    sums[1][t][i] = sums[2][t][i];
                    sums[2][t][i] = 0;
                }
        }
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            const uint4 band = bands[(phase * GROUPS + g) * 32 + lane];
#pragma unroll
            for (int t = 0; t < TILES; t++)
                multiply_rows(sums[g][t], band, pixels[0][t / 4][t % 4], pixels[1][t / 4][t % 4]);
        }
        phase = phase + 1 == period ? 0 : phase + 1;
    }
#pragma unroll
    for (int g = 0; g < GROUPS; g++)
        put_points(sums[g], scale, to + g * SIDE * pitch);
}

/* Row `point` of the grid takes its place in the lanes that hold it. */
static __device__ __forceinline__ void take_point(const float *from, int point, uint32_t (&points)[PLANES][TILES]) {
    if (point / 4 % 4 != (int)threadIdx.x % 4)
        return;
    const int at = 4 * (point % 4);
    float values[TILES];
    *(float4 *)&values[0] = *(const float4 *)&from[0];
    *(float4 *)&values[4] = *(const float4 *)&from[4];
#pragma unroll
    for (int p = 0; p < PLANES; p++) {
        const uint32_t selector = (0x3210U & ~(15U << at)) | (uint32_t)(4 + p) << at;
#pragma unroll
        for (int t = 0; t < TILES; t++)
            points[p][t] = __byte_perm(points[p][t], __float_as_uint(values[t] + 256.0F), selector);
    }
}

/* `bands`: for each 8 rows of the 16 * step after which they repeat, the lanes' weights. */
static __global__ void __launch_bounds__(PRODUCT_THREADS)
    up_products(const __grid_constant__ Plane out, int step, const float *__restrict__ sums, int pitch,
                const uint2 *__restrict__ bands, int rows) {
    const int lane = threadIdx.x % 32, left = (blockIdx.x * PRODUCT_WARPS + (int)threadIdx.x / 32) * LINE;
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height), x = left + lane % 4 * 2 * TILES;
    if (left >= out.width)
        return;
    uint32_t points[PLANES][TILES] = {};
    int next = top / step, phase = top / SIDE % (2 * step);
    const float *from = sums + (size_t)next * pitch + left + lane / 4 * TILES;
    const int none[4] = {}, half[4] = {0, 0, 1 << 15, 1 << 15};
#pragma unroll 1
    for (int y = top; y < bottom; y += SIDE) {
        const uint2 band = bands[phase * 32 + lane];
        phase = phase + 1 == 2 * step ? 0 : phase + 1;
#pragma unroll 1
        for (const int needed = min(y + SIDE, out.height) - 1 + (PRODUCT_TAPS - 1) * step; next * step <= needed;
             next++, from += pitch)
            take_point(from, next, points);
        uint32_t words[4];
#pragma unroll
        for (int t = 0; t < TILES; t += 4) {
            uint32_t bytes[2][4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int low[4], middle[4], high[4];
                multiply_points(low, none, band, points[0][t + i]);
                multiply_points(middle, none, band, points[1][t + i]);
                multiply_points(high, half, band, points[2][t + i]);
#pragma unroll
                for (int v = 0; v < 2; v++) {
                    const int more = middle[v] * 256 + middle[2 + v] + ((low[v] * 256 + low[2 + v]) >> 8);
                    bytes[v][i] = (uint32_t)(high[v] * 256 + high[2 + v] + (more >> 8));
                }
            }
#pragma unroll
            for (int v = 0; v < 2; v++)
                words[2 * v + t / 4] = __byte_perm(__byte_perm(bytes[v][0], bytes[v][1], 0x0062),
                                                   __byte_perm(bytes[v][2], bytes[v][3], 0x0062), 0x5410);
        }
        if (y + lane / 4 >= out.height)
            continue;
        uint8_t *to = row_to<uint8_t>(out, y + lane / 4) + x;
        if (x + 16 <= out.width)
            *(uint4 *)to = make_uint4(words[0], words[1], words[2], words[3]);
        else
#pragma unroll
            for (int i = 0; i < 16; i++)
                if (x + i < out.width)
                    to[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
}

/* ---- bands on the host ---- */

static inline int greatest_common_divisor(int a, int b) {
    return b ? greatest_common_divisor(b, a % b) : a;
}

/* After so many chunks the bands of the first kernel repeat. */
static inline int period_of(int step) {
    return step / greatest_common_divisor(step, CHUNK_ROWS / SIDE);
}

/* Weights times 2^exponent as whole numbers with the weights' sum: each sum of the first ones is rounded. */
static inline void round_running(const double *weights, int count, int exponent, int *whole) {
    double sum = 0, before = 0;
    for (int i = 0; i < count; i++) {
        sum += weights[i];
        const double now = rint(ldexp(sum, exponent));
        whole[i] = (int)(now - before);
        before = now;
    }
}

/* Adds a weight's byte number `k` of a lane's four. */
static inline void put_bytes(int high, int low, int k, uint32_t *upper, uint32_t *lower) {
    *upper |= (uint32_t)(high & 255) << 8 * k;
    *lower |= (uint32_t)(low & 255) << 8 * k;
}

/* `down` and `up`: step x taps weights as whole numbers. */
static inline void fill_down(int step, const int *down, uint4 *bands) {
    for (int c = 0; c < period_of(step); c++)
        for (int g = 0; g < GROUPS; g++)
            for (int lane = 0; lane < 32; lane++) {
                uint4 band = make_uint4(0, 0, 0, 0);
                for (int k = 0; k < SIDE; k++) {
                    const int y = CHUNK_ROWS * c + lane % 4 * SIDE + k;
                    const int t = (group_of(c, step) + g) * SIDE + lane / 4 - y / step;
                    const int weight = t >= 0 && t < PRODUCT_TAPS ? down[y % step * PRODUCT_TAPS + t] : 0;
                    const int low = ((weight & 255) ^ 128) - 128;
                    put_bytes((weight - low) / 256, low, k % 4, k < 4 ? &band.x : &band.z, k < 4 ? &band.y : &band.w);
                }
                *bands++ = band;
            }
}

static inline void fill_up(int step, const int *up, uint2 *bands) {
    for (int y = 0; y < SLOTS * step; y += SIDE)
        for (int lane = 0; lane < 32; lane++) {
            uint2 band = make_uint2(0, 0);
            const int row = y + lane / 4, first = y / step;
            for (int k = 0; k < 4; k++) {
                const int point = first + (lane % 4 * 4 + k - first % SLOTS + SLOTS) % SLOTS, t = point - row / step;
                const int weight = t >= 0 && t < PRODUCT_TAPS ? up[row % step * PRODUCT_TAPS + t] : 0;
                put_bytes(weight / 256, weight % 256, k, &band.x, &band.y);
            }
            *bands++ = band;
        }
}

#endif
