/* coalesced.cu: quarter turns where reads go along the picture's rows, and writes down the result's columns. Writes
 * need not be waited for, as reads are; but each touches 32 sectors of memory for a warp. */
#include "gpu/move/tile.cuh"

template <typename P> __global__ void move_coalesced(Plane in, Plane out, Moving moving) {
    const int x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= out.width || y >= out.height)
        return;
    const int column = column_of(moving, x), line = line_of(moving, y);
    row_to<P>(out, y)[x] = column < 0 || line < 0 ? *(const P *)&moving.outside : row_of<P>(in, column)[line];
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_coalesced);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Moving moving = moving_of(stage);
    const Launch launch = {dim3(blocks_for(out.height, 32), blocks_for(out.width, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &moving};
    return gpu_launch(queue, "move coalesced", by_pixel(stage, kernels), launch, arguments);
}

extern "C" const Level cuda_move_coalesced = {
    .op = &op_move,
    .name = "coalesced",
    .idea = "quarter turns that read along rows and write down columns: no thread waits for writes",
    .accepts = accepts_turns,
    .run = run,
};
