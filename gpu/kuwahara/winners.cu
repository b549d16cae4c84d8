/* winners.cu: sums of bytes that run, whole and exact: two channels share a word. A thread goes down a column. It keeps
 * the sums over as many rows as a quadrant has: of each channel, and of the squared luma. Neighbours' sums add up to a
 * box, which is a quadrant of four pixels. The more even of two boxes in a row is found once. It waits in shared memory
 * until it meets the one below. */
#include "gpu/order.cuh"

extern "C" {
#include "core/ops/kuwahara.h"
}

enum { THREADS = 256 };

/* Sums: of channels 0 and 2, of 1 and 3, 16 bits each; of the squared luma, or the variance made of it. */
typedef struct Sums {
    uint32_t even, odd;
    uint64_t squares;
} Sums;

/* 256 times the luma of one pixel, or of the sums of several. */
template <int C> static __device__ __forceinline__ uint32_t luma_of(uint32_t even, uint32_t odd) {
    const uint32_t r = even & 0xFFFF;
    return C < 3 ? 256 * r : 54 * r + 183 * (odd & 0xFFFF) + 19 * (even >> 16);
}

/* The sums of a pixel of four bytes. */
template <int C> static __device__ __forceinline__ Sums sums_of(uint32_t pixel) {
    Sums sums = {pixel & 0x00FF00FF, pixel >> 8 & 0x00FF00FF, 0};
    const uint32_t luma = luma_of<C>(sums.even, sums.odd);
    sums.squares = (uint64_t)luma * luma;
    return sums;
}

template <int C>
__global__ void __launch_bounds__(THREADS)
    kuwahara_winners(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                     const __grid_constant__ Edges edges, int radius, int rows) {
    extern __shared__ uint4 shared[];
    const int t = threadIdx.x, side = radius + 1, count = side * side;
    Sums *columns = (Sums *)shared, *boxes = columns + THREADS, *winners = boxes + THREADS + t;
    uint32_t *pixels = (uint32_t *)(boxes + THREADS + radius * THREADS) + t;
    const int x = blockIdx.x * (THREADS - 2 * radius) + t - radius, sx = edge_index(edges, x, in.width);
    const int top = blockIdx.y * rows, bottom = min(top + rows, out.height);
    const bool writes = t >= radius && t < THREADS - radius && x < out.width;
    Sums column = {};
    for (int i = 0; i < side; i++)
        pixels[i * THREADS] = 0;
    int ring = 0, kept = 0;
    for (int y = top - radius; y < bottom + radius; y++) {
        const int sy = edge_index(edges, y, in.height);
        uint32_t pixel = 0;
#pragma unroll
        for (int c = 0; c < C; c++)
            pixel |= (uint32_t)((sx | sy) < 0 ? edges.outside : row_of<uint8_t>(in, sy)[sx * C + c]) << 8 * c;
        const Sums comes = sums_of<C>(pixel), goes = sums_of<C>(pixels[ring * THREADS]);
        pixels[ring * THREADS] = pixel;
        ring = ring + 1 < side ? ring + 1 : 0;
        column.even += comes.even - goes.even;
        column.odd += comes.odd - goes.odd;
        column.squares += comes.squares - goes.squares;
        columns[t] = column;
        __syncthreads();
        Sums box = {};
        for (int i = 0; i < side; i++) {
            const Sums next = columns[min(t + i, THREADS - 1)];
            box.even += next.even;
            box.odd += next.odd;
            box.squares += next.squares;
        }
        const uint64_t sum = luma_of<C>(box.even, box.odd);
        box.squares = (uint64_t)count * box.squares - sum * sum;
        boxes[t] = box;
        __syncthreads();
        const Sums left = boxes[max(t - radius, 0)];
        const Sums below = box.squares < left.squares ? box : left, above = winners[kept * THREADS];
        winners[kept * THREADS] = below;
        kept = kept + 1 < radius ? kept + 1 : 0;
        if (y < top + radius || !writes)
            continue;
        const Sums best = below.squares < above.squares ? below : above;
        uint8_t *to = row_to<uint8_t>(out, y - radius) + x * C;
#pragma unroll
        for (int c = 0; c < C; c++) {
            const uint32_t total = (c % 2 ? best.odd : best.even) >> 16 * (c / 2) & 0xFFFF;
            to[c] = Stored<uint8_t>::from(__fdiv_rn((float)total, (float)count));
        }
    }
}

static size_t shared_bytes(int radius) {
    return THREADS * ((size_t)(2 + radius) * sizeof(Sums) + (size_t)(radius + 1) * sizeof(uint32_t));
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const KuwaharaJob *job = kuwahara_job(stage);
    const float outside = job->border.value;
    *why_not = "it works on bytes: u8 in and u8 out, and the border's value is one";
    if (stage->in[0].shape.type != PIXEL_U8 || stage->out.shape.type != PIXEL_U8 || fabs(job->unit - 1) > 0 ||
        outside != rintf(outside) || outside < 0 || outside > 255)
        return false;
    *why_not = "this GPU's blocks have too little shared memory for the radius";
    return shared_bytes(job->radius) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[] = {(const void *)kuwahara_winners<1>, (const void *)kuwahara_winners<2>,
                                          (const void *)kuwahara_winners<3>, (const void *)kuwahara_winners<4>};
    const KuwaharaJob *job = kuwahara_job(stage);
    const void *kernel = kernels[stage->out.shape.channels - 1];
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Edges edges = edges_of(job->border, PIXEL_U8);
    int radius = job->radius, rows;
    const size_t bytes = shared_bytes(radius);
    const unsigned across = blocks_for(out.width, THREADS - 2 * radius);
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    TRY(rows_at_once(queue, kernel, THREADS, bytes, across, out.height, 1, &rows));
    const Launch launch = {dim3(across, blocks_for(out.height, rows)), dim3(THREADS), bytes};
    void *arguments[] = {&in, &out, &edges, &radius, &rows};
    return gpu_launch(queue, "kuwahara winners", kernel, launch, arguments);
}

extern "C" const Level cuda_kuwahara_winners = {
    .op = &op_kuwahara,
    .name = "winners",
    .idea =
        "sums run down the columns, and neighbours' add up to boxes: the more even of two serves the pixels above and "
        "below",
    .accepts = accepts,
    .run = run,
};
