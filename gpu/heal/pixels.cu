/* pixels.cu: one thread a pixel, which copies it, or goes once around the rim of its spot. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/heal.h"
}

enum { ACROSS = 32, DOWN = 8 };

template <typename T, int C>
__device__ __forceinline__ void read_pixel(Plane in, int x, int y, double sign, double *pixel) {
    const T *from = row_of<T>(in, heal_nearest(y, in.height)) + (size_t)heal_nearest(x, in.width) * C;
    for (int c = 0; c < C; c++)
        pixel[c] += sign * (double)from[c];
}

__device__ __forceinline__ void store(double value, uint8_t *to) {
    *to = (uint8_t)rint(fmin(fmax(value, 0.0), 255.0));
}
__device__ __forceinline__ void store(double value, uint16_t *to) {
    *to = (uint16_t)rint(fmin(fmax(value, 0.0), 65535.0));
}
__device__ __forceinline__ void store(double value, float *to) {
    *to = (float)value;
}

template <typename T, int C>
__global__ void __launch_bounds__(ACROSS *DOWN)
    heal_pixels(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                const __grid_constant__ HealJob job) {
    const int x = blockIdx.x * ACROSS + threadIdx.x, y = blockIdx.y * DOWN + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const int of = heal_spot(&job, x, y);
    T *to = row_to<T>(out, y) + (size_t)x * C;
    if (of < 0) {
        for (int c = 0; c < C; c++)
            to[c] = row_of<T>(in, y)[(size_t)x * C + c];
        return;
    }
    const HealSpot *spot = &job.spots[of];
    const bool patched = spot->across != 0 || spot->down != 0;
    const int count = heal_rim(spot);
    double sums[C] = {0}, weights = 0, patch[C] = {0};
    for (int k = 0; k < count; k++) {
        double u, v, difference[C] = {0};
        heal_place(spot, k, count, &u, &v);
        const int column = heal_nearest(u, in.width), row = heal_nearest(v, in.height);
        const double weight = heal_weight(x, y, u, v);
        read_pixel<T, C>(in, column, row, 1, difference);
        if (patched)
            read_pixel<T, C>(in, column + spot->across, row + spot->down, -1, difference);
        for (int c = 0; c < C; c++)
            sums[c] += weight * difference[c];
        weights += weight;
    }
    if (patched)
        read_pixel<T, C>(in, x + spot->across, y + spot->down, 1, patch);
    for (int c = 0; c < C; c++)
        store(patch[c] + sums[c] / weights, to + c);
}

#define CHANNELS(T)                                                                                                    \
    {                                                                                                                  \
        (const void *)heal_pixels<T, 1>, (const void *)heal_pixels<T, 2>, (const void *)heal_pixels<T, 3>,             \
            (const void *)heal_pixels<T, 4>                                                                            \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {CHANNELS(uint8_t), CHANNELS(uint16_t), CHANNELS(float)};
    const Shape shape = stage->out.shape;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    HealJob job = *heal_job(stage);
    const Launch launch = {dim3(blocks_for(in.width, ACROSS), blocks_for(in.height, DOWN)), dim3(ACROSS, DOWN), 0};
    void *arguments[] = {&in, &out, &job};
    return gpu_launch(queue, "heal pixels", kernels[shape.type][shape.channels - 1], launch, arguments);
}

extern "C" const Level cuda_heal_pixels = {
    .op = &op_heal,
    .name = "pixels",
    .idea = "one thread a pixel, which copies it, or goes once around the rim of its spot",
    .run = run,
};
