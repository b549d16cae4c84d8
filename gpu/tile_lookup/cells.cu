/* cells.cu: bytes. All pixels of a cell, which lies between the centres of four tiles, take the same four curves. A
 * block packs them so that one load from shared memory brings the four results of a value. There is a copy of the table
 * for each lane, in a bank of its own, as far as there is room. Weights grow along the row; conversions from bytes to
 * f32 are one permutation each: 2^23 + n has n in its lowest bits. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/histogram.h"
#include "core/ops/tiles.h"
}

enum { THREADS = 512, PIXELS = 16, ROWS = 128, COPIES_MAX = 32, PACKED = 16, SHARED_MAX = 48 << 10 };

#define MAGIC 8388608.0f /* 2^23 */

/* Byte k of the word plus 2^23. */
template <int K> static __device__ __forceinline__ float magic_byte(uint32_t word) {
    return __uint_as_float(__byte_perm(word, 0x4B000000, 0x7650 + K));
}

static __device__ __forceinline__ uint32_t weighted(uint32_t word, float right, float down) {
    const float a = magic_byte<0>(word), b = magic_byte<1>(word), c = magic_byte<2>(word), d = magic_byte<3>(word);
    const float top = fmaf(right, b - a, a - MAGIC), bottom = fmaf(right, d - c, c - MAGIC);
    return __float_as_uint(fmaf(down, bottom - top, top) + MAGIC) & 0xFF;
}

/* Where the cell of this number begins. */
static __device__ __forceinline__ int cell_begin(int cell, int size, int count, int end) {
    return cell <= 0 ? 0 : cell > count ? end : min((size * (2 * cell - 1) + 1) / 2, end);
}

template <int C>
__global__ void __launch_bounds__(THREADS)
    tile_lookup_cells(const __grid_constant__ Plane in, const __grid_constant__ Plane curves,
                      const __grid_constant__ Plane out, const __grid_constant__ TilesJob job, int shift, int copies,
                      int parts) {
    extern __shared__ uint32_t table[];
    float *down_weights = (float *)(table + job.colours * BINS_U8 * copies); /* of the rows */
    enum { COLOURS = C % 2 ? C : C - 1 };
    const Tiles tiles = job.tiles;
    const int cell_x = blockIdx.x, cell_y = blockIdx.y / parts, part = blockIdx.y % parts;
    const int left = cell_begin(cell_x, tiles.width, tiles.across, in.width);
    const int right = cell_begin(cell_x + 1, tiles.width, tiles.across, in.width);
    const int begin = max(cell_begin(cell_y, tiles.height, tiles.down, job.rows) - job.top, 0);
    const int end = min(cell_begin(cell_y + 1, tiles.height, tiles.down, job.rows) - job.top, in.height);
    const int top = begin + part * ROWS, bottom = min(end, top + ROWS);
    if (top >= bottom || left >= right)
        return;
    const Between across = tiles_between(left, tiles.width, tiles.across, true);
    const Between down = tiles_between(top + job.top, tiles.height, tiles.down, true);
    const int upper = down.first * tiles.across, lower = down.second * tiles.across;
    /* A lane packs the results of a value, and the warp writes them to all copies. */
    for (int first = threadIdx.x / 32 * PACKED; first < job.colours * BINS_U8; first += THREADS / 32 * PACKED) {
        const int i = first + threadIdx.x % PACKED, value = i % BINS_U8, row = i / BINS_U8;
        const uint32_t own = row_of<uint8_t>(curves, (upper + across.first) * job.colours + row)[value] |
                             row_of<uint8_t>(curves, (upper + across.second) * job.colours + row)[value] << 8 |
                             row_of<uint8_t>(curves, (lower + across.first) * job.colours + row)[value] << 16 |
                             (uint32_t)row_of<uint8_t>(curves, (lower + across.second) * job.colours + row)[value]
                                 << 24;
#pragma unroll
        for (int k = 0; k < PACKED; k++) {
            const uint32_t word = __shfl_sync(~0U, own, k);
            if (threadIdx.x % 32 < copies)
                table[(first + k) * copies + threadIdx.x % 32] = word;
        }
    }
    for (int i = threadIdx.x; i < bottom - top; i += THREADS)
        down_weights[i] = (float)tiles_between(top + i + job.top, tiles.height, tiles.down, true).part;
    __syncthreads();
    const uint32_t *mine = table + threadIdx.x % copies;
    const int stride = job.luma ? 0 : BINS_U8 * copies;
    const int wide = 1 << shift, high = THREADS >> shift;
    for (int x = (left / PIXELS + (threadIdx.x & (wide - 1))) * PIXELS; x < right; x += wide * PIXELS) {
        float weights[PIXELS]; /* stay for all rows */
#pragma unroll
        for (int i = 0; i < PIXELS; i++)
            weights[i] = (float)tiles_between(x + i, tiles.width, tiles.across, true).part;
        for (int y = top + (threadIdx.x >> shift); y < bottom; y += high) {
            const float down_weight = down_weights[y - top];
            const uint8_t *from = row_of<uint8_t>(in, y) + (size_t)x * C;
            uint8_t *to = row_to<uint8_t>(out, y) + (size_t)x * C;
            const auto look = [&](int c, uint8_t value, int i) {
                return (uint8_t)weighted(mine[c * stride + value * copies], weights[i], down_weight);
            };
            if (x >= left && x + PIXELS <= right) {
                uint4 words[C], results[C];
#pragma unroll
                for (int i = 0; i < C; i++)
                    words[i] = __ldcs((const uint4 *)from + i);
#pragma unroll
                for (int i = 0; i < PIXELS * C; i++) {
                    const uint8_t value = ((const uint8_t *)words)[i];
                    ((uint8_t *)results)[i] = i % C < COLOURS ? look(i % C, value, i / C) : value;
                }
#pragma unroll
                for (int i = 0; i < C; i++)
                    __stcs((uint4 *)to + i, results[i]);
            } else
#pragma unroll
                for (int i = 0; i < PIXELS; i++)
                    if (x + i >= left && x + i < right)
                        for (int c = 0; c < C; c++)
                            to[i * C + c] = c < COLOURS ? look(c, from[i * C + c], i) : from[i * C + c];
        }
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it packs the results of u8 pictures";
    return stage->out.shape.type == PIXEL_U8;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[4] = {(const void *)tile_lookup_cells<1>, (const void *)tile_lookup_cells<2>,
                                           (const void *)tile_lookup_cells<3>, (const void *)tile_lookup_cells<4>};
    Plane in = plane_of(stage->in[0]), curves = plane_of(stage->in[1]), out = plane_of(stage->out);
    TilesJob job = *tiles_job_of(stage);
    int shift = 0, copies = COPIES_MAX, parts = (int)blocks_for(min(job.tiles.height, in.height), ROWS);
    while ((1 << shift) < THREADS && (1 << shift) * PIXELS < job.tiles.width)
        shift++;
    while (job.colours * BINS_U8 * copies * (int)sizeof(uint32_t) > SHARED_MAX)
        copies /= 2;
    const Launch launch = {dim3((unsigned)job.tiles.across + 1, (unsigned)((job.tiles.down + 1) * parts)),
                           dim3(THREADS), (size_t)(job.colours * BINS_U8 * copies + ROWS) * sizeof(uint32_t)};
    void *arguments[] = {&in, &curves, &out, &job, &shift, &copies, &parts};
    return gpu_launch(queue, "tile_lookup cells", kernels[stage->out.shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_tile_lookup_cells = {
    .op = &op_tile_lookup,
    .name = "cells",
    .idea = "bytes: a block packs the four curves around its pixels, so that one load brings four results",
    .accepts = accepts,
    .run = run,
};
