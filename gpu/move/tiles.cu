/* tiles.cu: quarter turns through shared memory: a tile is read along the picture's rows and written along the
 * result's, so that neighbouring threads touch neighbouring pixels both times. A row of the tile is one pixel longer
 * than it need be: its columns then lie in different banks. */
#include "gpu/move/pixel.cuh"

enum { TILE = 32, ROWS = 8 };

template <typename P> __global__ void move_tiles(Plane in, Plane out, Moving moving) {
    __shared__ P tile[TILE][TILE + 1];
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    const P outside = *(const P *)&moving.outside;
    const int line = top + threadIdx.x < out.height ? line_of(moving, top + threadIdx.x) : -1;
#pragma unroll
    for (int i = threadIdx.y; i < TILE; i += ROWS) {
        const int column = left + i < out.width ? column_of(moving, left + i) : -1;
        tile[i][threadIdx.x] = line < 0 || column < 0 ? outside : row_of<P>(in, column)[line];
    }
    __syncthreads();
    const int x = left + threadIdx.x;
#pragma unroll
    for (int i = threadIdx.y; i < TILE; i += ROWS)
        if (x < out.width && top + i < out.height)
            row_to<P>(out, top + i)[x] = tile[threadIdx.x][i];
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its rows stay rows, which neighbouring threads read in one piece anyway";
    return move_job(stage)->transpose;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_tiles);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Moving moving = moving_of(stage);
    const Launch launch = {dim3(blocks_for(out.width, TILE), blocks_for(out.height, TILE)), dim3(TILE, ROWS), 0};
    void *arguments[] = {&in, &out, &moving};
    return gpu_launch(queue, "move tiles", by_pixel(stage, kernels), launch, arguments);
}

extern "C" const Level cuda_move_tiles = {
    .op = &op_move,
    .name = "tiles",
    .idea = "quarter turns through padded tiles in shared memory, so that reads and writes both go along rows",
    .accepts = accepts,
    .run = run,
};
