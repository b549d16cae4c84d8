/* global.cu: every pixel adds to counts of its tile in device memory. Rows of threads beyond those of the picture at
 * hand are for the whole's mirrored ones. */
#include "gpu/tile_histogram/tile.cuh"

template <int C, typename T>
__global__ void tile_histogram_global(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                                      const __grid_constant__ TilesJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const int y = row < in.height ? job.top + row : job.rows + row - in.height;
    const Tiles tiles = job.tiles;
    if (x >= tiles.across * tiles.width || y >= tiles.down * tiles.height)
        return;
    const int tile = y / tiles.height * tiles.across + x / tiles.width;
    const int sx = (int)border_index(BORDER_MIRROR, x, in.width), sy = tiles_row(&job, y, in.height);
    if (sy < 0)
        return;
    count_tile_pixel<C>(job, row_of<T>(in, sy) + (size_t)sx * C,
                        [&](int row, int bin) { atomicAdd(row_to<uint32_t>(out, tile * job.colours + row) + bin, 1); });
}

static Status run(Queue *queue, const Stage *stage) {
    COUNT_TABLE(tile_histogram_global);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    TilesJob job = *tiles_job_of(stage);
    const Tiles tiles = job.tiles;
    const int rows = in.height + tiles.down * tiles.height - job.rows;
    const Launch launch = {dim3(blocks_for(tiles.across * tiles.width, 32), blocks_for(rows, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &job};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "tile_histogram global", count_kernel(kernels, stage), launch, arguments);
}

extern "C" const Level cuda_tile_histogram_global = {
    .op = &op_tile_histogram,
    .name = "global",
    .idea = "one thread a pixel, which adds 1 to a count of its tile in device memory by an atomic",
    .run = run,
};
