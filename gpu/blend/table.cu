/* table.cu: the result of two bytes is looked up in shared memory. A first kernel computes it for every pair; each
 * block of the second keeps a copy. An entry's bank is that of its column plus its row, so that neither pictures of
 * equal backdrops nor of equal sources crowd in one. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/blend.h"
#include "core/ops/histogram.h"
}

enum { SIDE = 256, ENTRIES = SIDE * SIDE, THREADS = 1024, WIDE = 16 /* values of a thread, in one access */ };

static __device__ __forceinline__ int entry_at(int backdrop, int source) {
    return source * SIDE + ((backdrop + 4 * source) & (SIDE - 1));
}

__global__ void blend_pairs(uint8_t *table, const __grid_constant__ BlendJob job) {
    const int b = threadIdx.x, s = blockIdx.x;
    const double backdrop = b, source = job.scale * s;
    double out, alpha;
    blend_pixel(&job, 1, &backdrop, job.white, &source, job.white, job.opacity, &out, &alpha);
    table[entry_at(b, s)] = Stored<uint8_t>::from((float)rint(out));
}

__global__ void __launch_bounds__(THREADS)
    blend_table(const __grid_constant__ Plane in, const __grid_constant__ Plane other,
                const __grid_constant__ Plane out, const uint8_t *entries, int row_bytes, int shift) {
    extern __shared__ __align__(16) uint8_t table[];
    for (int i = threadIdx.x; i < ENTRIES / WIDE; i += THREADS)
        ((uint4 *)table)[i] = ((const uint4 *)entries)[i];
    __syncthreads();
    const int across = 1 << shift, column = threadIdx.x & (across - 1), rows = THREADS >> shift;
    for (int y = blockIdx.x * rows + (threadIdx.x >> shift); y < in.height; y += gridDim.x * rows) {
        const uint8_t *from = row_of<uint8_t>(in, y), *over = row_of<uint8_t>(other, y);
        uint8_t *to = row_to<uint8_t>(out, y);
        for (int x = column * WIDE; x < row_bytes; x += across * WIDE)
            if (x + WIDE <= row_bytes) {
                const uint4 b = __ldcs((const uint4 *)(from + x)), s = __ldcs((const uint4 *)(over + x));
                uint4 made;
#pragma unroll
                for (int i = 0; i < WIDE; i++)
                    ((uint8_t *)&made)[i] = table[entry_at(((const uint8_t *)&b)[i], ((const uint8_t *)&s)[i])];
                __stcs((uint4 *)(to + x), made);
            } else
                for (int i = x; i < row_bytes; i++)
                    to[i] = table[entry_at(from[i], over[i])];
    }
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device, (void)stage;
    return ENTRIES;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Shape in = stage->in[0].shape, other = stage->in[1].shape;
    *why_not = "only two bytes have few enough pairs for a table";
    if (in.type != PIXEL_U8 || other.type != PIXEL_U8)
        return false;
    *why_not = "pixels have alpha or a mask, or not as many values in both pictures";
    if (blend_job(stage)->masked || shape_has_alpha(in) || in.channels != other.channels)
        return false;
    *why_not = "a block has not 64 KiB of shared memory";
    return ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin >= ENTRIES;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), other = plane_of(stage->in[1]), out = plane_of(stage->out);
    BlendJob job = *blend_job(stage);
    void *table;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &table));
    void *pairs[] = {&table, &job};
    const Launch first = {dim3(SIDE), dim3(SIDE), 0};
    TRY(gpu_launch(queue, "blend, pairs", (const void *)blend_pairs, first, pairs));
    int row_bytes = (int)shape_row_bytes(stage->out.shape), shift = 0;
    while ((1 << shift) < THREADS && (1 << shift) * WIDE < row_bytes)
        shift++;
    const unsigned most = (unsigned)gpu_of(queue->device)->limits.multiProcessorCount * 2;
    const unsigned blocks = blocks_for(out.height, THREADS >> shift);
    const Launch launch = {dim3(blocks < most ? blocks : most), dim3(THREADS), ENTRIES};
    void *arguments[] = {&in, &other, &out, &table, &row_bytes, &shift};
    return gpu_launch(queue, "blend table", (const void *)blend_table, launch, arguments);
}

extern "C" const Level cuda_blend_table = {
    .op = &op_blend,
    .name = "table",
    .idea = "the result of every pair of two bytes is computed once, and looked up in shared memory",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
