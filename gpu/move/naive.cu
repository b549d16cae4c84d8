/* naive.cu: one thread a result pixel, which looks up where it comes from. */
#include "gpu/move/pixel.cuh"

template <typename P> __global__ void move_naive(Plane in, Plane out, Moving moving) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const int column = column_of(moving, x), line = line_of(moving, y);
    if (column < 0 || line < 0)
        row_to<P>(out, y)[x] = *(const P *)&moving.outside;
    else
        row_to<P>(out, y)[x] = moving.transpose ? row_of<P>(in, column)[line] : row_of<P>(in, line)[column];
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_naive);
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Moving moving = moving_of(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &moving};
    return gpu_launch(queue, "move naive", by_pixel(stage, kernels), launch, arguments);
}

extern "C" const Level cuda_move_naive = {
    .op = &op_move,
    .name = "naive",
    .idea = "one thread a pixel, which looks up where it comes from",
    .run = run,
};
