/* halo.cu: tile and halo in shared memory. The block fetches everything that its pixels look at once, border included,
 * and then computes without a test and without global memory. */
#include "gpu/convolve/constant.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
}

enum { TILE_WIDTH = 32 };

static const int tile_heights[] = {32, 16, 8}; /* the first whose tile fits into shared memory */

template <typename In, typename Out, int C> __global__ void convolve_halo(Plane in, Plane out, Sum job) {
    typedef typename Accumulator<In>::Type Acc;
    extern __shared__ __align__(16) unsigned char shared[];
    In *tile = (In *)shared;
    const int tile_width = TILE_WIDTH + job.width - 1, tile_height = blockDim.y + job.height - 1;
    const int left = blockIdx.x * TILE_WIDTH - job.width / 2, top = blockIdx.y * blockDim.y - job.height / 2;
    for (int ty = threadIdx.y; ty < tile_height; ty += blockDim.y) {
        const int sy = inside_index(job.border, top + ty, in.height);
        const In *row = row_of<In>(in, sy < 0 ? 0 : sy);
        for (int tx = threadIdx.x; tx < tile_width; tx += TILE_WIDTH) {
            const int sx = inside_index(job.border, left + tx, in.width);
            for (int c = 0; c < C; c++)
                tile[(ty * tile_width + tx) * C + c] = sy < 0 || sx < 0 ? (In)job.outside : row[sx * C + c];
        }
    }
    __syncthreads();
    const int x = blockIdx.x * TILE_WIDTH + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    Acc sums[C] = {};
    for (int j = 0; j < job.height; j++) {
        const In *row = tile + ((threadIdx.y + j) * tile_width + threadIdx.x) * C;
        Acc row_sums[C] = {};
        for (int i = 0; i < job.width; i++)
            for (int c = 0; c < C; c++)
                row_sums[c] += (Acc)constant_weights[j * job.width + i] * (Acc)row[i * C + c];
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(finish(job, sums[c]));
}

/* The shared memory of a tile of that height. */
static size_t halo_bytes(const Stage *stage, int tile_height) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape shape = stage->in[0].shape;
    return (size_t)(TILE_WIDTH + mask->width - 1) * (size_t)(tile_height + mask->height - 1) * (size_t)shape.channels *
           pixel_type_size(shape.type);
}

static int tile_height_for(const Stage *stage, size_t max) {
    int height = 0;
    for (size_t i = 0; i < sizeof tile_heights / sizeof tile_heights[0] && height == 0; i++)
        height = halo_bytes(stage, tile_heights[i]) <= max ? tile_heights[i] : 0;
    return height;
}

template <typename In, typename Out, int C> struct Halo {
    static Status run(Queue *queue, const Stage *stage) {
        const struct cudaDeviceProp *limits = &gpu_of(queue->device)->limits;
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        /* Two blocks on a multiprocessor at least, if that can be: one loads while the other computes. */
        int height = tile_height_for(stage, limits->sharedMemPerMultiprocessor / 2 - 1024);
        if (height == 0)
            height = tile_height_for(stage, limits->sharedMemPerBlockOptin);
        TRY(set_constant_weights(queue, convolve_job(stage)->mask));
        const Launch launch = {dim3(blocks_for(out.width, TILE_WIDTH), blocks_for(out.height, height)),
                               dim3(TILE_WIDTH, (unsigned)height), halo_bytes(stage, height)};
        void *arguments[] = {&in, &out, &job};
        return gpu_launch(queue, "convolve halo", (const void *)convolve_halo<In, Out, C>, launch, arguments);
    }
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_constant(device, stage, why_not))
        return false;
    *why_not = "its tile holds pixels, and the border's value is between two of them";
    if (stage->in[0].shape.type != PIXEL_F32 &&
        convolve_job(stage)->border.value != rintf(convolve_job(stage)->border.value))
        return false;
    *why_not = "the smallest tile with its halo exceeds the shared memory of a block";
    return halo_bytes(stage, 8) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Halo>(queue, stage);
}

extern "C" const Level cuda_convolve_halo = {
    .op = &op_convolve,
    .name = "halo",
    .idea = "tile and halo in shared memory, the border filled in once: inside the loop no tap needs a test",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .run = run,
};
