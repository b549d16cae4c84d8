/* shared.cu: the textbook's optimized kernel in two dimensions. The block loads its own pixels into shared memory once.
 * Taps that fall outside the tile read global memory, and find it in the L2 cache, because the neighbouring block has
 * just loaded it. */
#include "gpu/convolve/constant.cuh"

enum { TILE_WIDTH = 32, TILE_HEIGHT = 16 };

template <typename In, typename Out, int C> __global__ void convolve_shared(Plane in, Plane out, Sum job) {
    typedef typename Accumulator<In>::Type Acc;
    __shared__ In tile[TILE_HEIGHT][TILE_WIDTH][C];
    const int left = blockIdx.x * TILE_WIDTH, top = blockIdx.y * TILE_HEIGHT;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x < in.width && y < in.height)
        for (int c = 0; c < C; c++)
            tile[threadIdx.y][threadIdx.x][c] = row_of<In>(in, y)[x * C + c];
    __syncthreads();
    if (x >= out.width || y >= out.height)
        return;
    Acc sums[C] = {};
    for (int j = 0; j < job.height; j++) {
        const int sy = inside_index(job.border, y + j - job.height / 2, in.height);
        const bool row_in_tile = (unsigned)(sy - top) < TILE_HEIGHT;
        const In *row = row_of<In>(in, sy < 0 ? 0 : sy);
        Acc row_sums[C] = {};
        for (int i = 0; i < job.width; i++) {
            const int sx = inside_index(job.border, x + i - job.width / 2, in.width);
            const Acc weight = constant_weights[j * job.width + i];
            const bool in_tile = row_in_tile && (unsigned)(sx - left) < TILE_WIDTH;
            for (int c = 0; c < C; c++)
                row_sums[c] += weight * (sy < 0 || sx < 0 ? (Acc)job.outside
                                         : in_tile        ? (Acc)tile[sy - top][sx - left][c]
                                                          : (Acc)row[sx * C + c]);
        }
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(finish(job, sums[c]));
}

template <typename In, typename Out, int C> struct Shared {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        TRY(set_constant_weights(queue, convolve_job(stage)->mask));
        const Launch launch = {dim3(blocks_for(out.width, TILE_WIDTH), blocks_for(out.height, TILE_HEIGHT)),
                               dim3(TILE_WIDTH, TILE_HEIGHT), 0};
        void *arguments[] = {&in, &out, &job};
        return gpu_launch(queue, "convolve shared", (const void *)convolve_shared<In, Out, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Shared>(queue, stage);
}

extern "C" const Level cuda_convolve_shared = {
    .op = &op_convolve,
    .name = "shared",
    .idea = "the block loads its tile into shared memory once; neighbours outside the tile come through the L2 cache",
    .accepts = accepts_constant,
    .run = run,
};
