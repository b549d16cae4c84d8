/* naive.cu: both masks over the window, one thread a pixel. */
#include "gpu/derivative/window.cuh"

template <typename In, typename Out, int C>
__global__ void derivative_naive(Plane in, Plane out, const __grid_constant__ DerivativeJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    for (int c = 0; c < C; c++)
        derivative_at<In, Out, C>(in, out, job, x, y, c);
}

template <typename In, typename Out, int C> struct DerivativeNaive {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        DerivativeJob job = *derivative_job(stage);
        const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
        void *arguments[] = {&in, &out, &job};
        return gpu_launch(queue, "derivative naive", (const void *)derivative_naive<In, Out, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<DerivativeNaive>(queue, stage);
}

extern "C" const Level cuda_derivative_naive = {
    .op = &op_derivative,
    .name = "naive",
    .idea =
        "one thread a pixel reads the eight around it, in double precision, with a test for the border at every tap",
    .run = run,
};
