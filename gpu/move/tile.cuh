/* tile.cuh: quarter turns through a tile in shared memory. It is read along the picture's rows and written along the
 * result's, so that neighbouring threads touch neighbouring pixels both times. The levels differ in how the tile lies
 * in shared memory: Layout::at(i, j) is where pixel j of row i lies, of Layout::PIXELS. */
#ifndef GLINT_GPU_MOVE_TILE_CUH
#define GLINT_GPU_MOVE_TILE_CUH

#include "gpu/move/pixel.cuh"

enum { TILE = 32, TILE_ROWS = 8 };

template <typename P, typename Layout>
static __device__ __forceinline__ void turn_tile(const Plane &in, const Plane &out, const Moving &moving, P *tile) {
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    const P outside = *(const P *)&moving.outside;
    const int line = top + threadIdx.x < out.height ? line_of(moving, top + threadIdx.x) : -1;
#pragma unroll
    for (int i = threadIdx.y; i < TILE; i += TILE_ROWS) {
        const int column = left + i < out.width ? column_of(moving, left + i) : -1;
        tile[Layout::at(i, threadIdx.x)] = line < 0 || column < 0 ? outside : row_of<P>(in, column)[line];
    }
    __syncthreads();
    const int x = left + threadIdx.x;
#pragma unroll
    for (int i = threadIdx.y; i < TILE; i += TILE_ROWS)
        if (x < out.width && top + i < out.height)
            row_to<P>(out, top + i)[x] = tile[Layout::at(threadIdx.x, i)];
}

static inline bool accepts_turns(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its rows stay rows, which neighbouring threads read in one piece anyway";
    return move_job(stage)->transpose;
}

static inline Status run_tiles(Queue *queue, const Stage *stage, const char *where,
                               const void *const (&kernels)[PIXEL_TYPES][4]) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Moving moving = moving_of(stage);
    const Launch launch = {dim3(blocks_for(out.width, TILE), blocks_for(out.height, TILE)), dim3(TILE, TILE_ROWS), 0};
    void *arguments[] = {&in, &out, &moving};
    return gpu_launch(queue, where, by_pixel(stage, kernels), launch, arguments);
}

#endif
