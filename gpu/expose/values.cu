/* values.cu: one thread a value; the factor is a block's, since it takes an exponential function in double. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/expose.h"
#include "core/ops/reduce.h"
}

enum { ACROSS = 32, DOWN = 8 };

/* `alpha` is the channel that stays, or -1. Planes are as wide as their rows have values. */
template <typename T>
__global__ void __launch_bounds__(ACROSS *DOWN)
    expose_values(const __grid_constant__ Plane light, const __grid_constant__ Plane in,
                  const __grid_constant__ Plane out, double key, int channels, int alpha) {
    __shared__ double factor;
    const int x = blockIdx.x * ACROSS + threadIdx.x, y = blockIdx.y * DOWN + threadIdx.y;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        const Reduction *of = row_of<Reduction>(light, 0);
        factor = expose_factor(key, of->count, of->sum);
    }
    __syncthreads();
    if (x < in.width && y < in.height)
        row_to<float>(out, y)[x] = (float)((double)row_of<T>(in, y)[x] * (x % channels == alpha ? 1 : factor));
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES] = {(const void *)expose_values<uint8_t>,
                                                     (const void *)expose_values<uint16_t>,
                                                     (const void *)expose_values<float>};
    const Shape shape = stage->out.shape;
    Plane light = plane_of(stage->in[0]), in = plane_of(stage->in[1]), out = plane_of(stage->out);
    double key = expose_job(stage)->key;
    int channels = shape.channels, alpha = shape_has_alpha(shape) ? channels - 1 : -1;
    in.width *= channels;
    const Launch launch = {dim3(blocks_for(in.width, ACROSS), blocks_for(in.height, DOWN)), dim3(ACROSS, DOWN), 0};
    void *arguments[] = {&light, &in, &out, &key, &channels, &alpha};
    return gpu_launch(queue, "expose values", kernels[stage->in[1].shape.type], launch, arguments);
}

extern "C" const Level cuda_expose_values = {
    .op = &op_expose,
    .name = "values",
    .idea = "one thread a value; the factor is found once a block",
    .run = run,
};
