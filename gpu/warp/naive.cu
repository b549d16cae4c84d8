/* naive.cu: one thread a result pixel: its place in double, its neighbours from global memory. */
#include "gpu/warp/pixel.cuh"

template <typename In, int C, int TAPS, bool WEIGHED> __global__ void warp_naive(Plane in, Plane out, Warp job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < out.width && y < out.height)
        warp_pixel<In, C, TAPS, WEIGHED>(in, out, job, x, y);
}

#define BY_TAPS(In, C)                                                                                                 \
    {                                                                                                                  \
        (const void *)warp_naive<In, C, 1, false>, (const void *)warp_naive<In, C, 2, false>,                          \
            (const void *)warp_naive<In, C, 4, false>                                                                  \
    }
#define BY_CHANNELS(In)                                                                                                \
    { BY_TAPS(In, 1), BY_TAPS(In, 2), BY_TAPS(In, 3), BY_TAPS(In, 4) }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4][WARP_KERNELS] = {BY_CHANNELS(uint8_t), BY_CHANNELS(uint16_t),
                                                                      BY_CHANNELS(float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Warp warp = warp_of(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &warp};
    const void *kernel = !stage->points        ? kernels[shape.type][shape.channels - 1][warp_job(stage)->kernel]
                         : shape.channels == 2 ? (const void *)warp_naive<uint8_t, 2, 2, true>
                                               : (const void *)warp_naive<uint8_t, 4, 2, true>;
    return gpu_launch(queue, "warp naive", kernel, launch, arguments);
}

extern "C" const Level cuda_warp_naive = {
    .op = &op_warp,
    .name = "naive",
    .idea = "one thread a pixel: its place by a map, its neighbours from global memory, which the caches keep",
    .predictor = &warp_measured,
    .points_ms = warp_points_ms,
    .run = run,
};
