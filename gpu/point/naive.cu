/* naive.cu: a point function, one thread a pixel. The types are looked at at run time: it waits for memory anyway. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/point.h"
}

static __device__ double load_value(Plane plane, PixelType type, int at, int y) {
    return type == PIXEL_U8    ? (double)row_of<uint8_t>(plane, y)[at]
           : type == PIXEL_U16 ? (double)row_of<uint16_t>(plane, y)[at]
                               : (double)row_of<float>(plane, y)[at];
}

static __device__ void store_value(Plane plane, PixelType type, int at, int y, double value) {
    if (type == PIXEL_U8)
        row_to<uint8_t>(plane, y)[at] = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
    else if (type == PIXEL_U16)
        row_to<uint16_t>(plane, y)[at] = Stored<uint16_t>::from(value);
    else
        row_to<float>(plane, y)[at] = (float)value;
}

/* The functions of core/math/point.h as types, for each of which there is a kernel. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    struct Function_##name {                                                                                           \
        static __device__ __forceinline__ void apply(const PointJob *job, int channels, const double *in,              \
                                                     const double *in2, double *out) {                                 \
            point_##name(job, channels, in, in2, out);                                                                 \
        }                                                                                                              \
    };
#include "core/math/point.def"
#undef POINT

template <typename Function>
__global__ void point_naive(Plane in, PixelType in_type, Plane in2, PixelType in2_type, Plane out, PixelType out_type,
                            int channels, int out_channels, PointJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    double values[4] = {0}, values2[4] = {0}, results[4];
    for (int c = 0; c < channels; c++) {
        values[c] = load_value(in, in_type, x * channels + c, y);
        values2[c] = in2.pixels ? load_value(in2, in2_type, x * channels + c, y) : 0;
    }
    Function::apply(&job, channels, values, values2, results);
    for (int c = 0; c < out_channels; c++)
        store_value(out, out_type, x * out_channels + c, y, results[c]);
}

static const void *const kernels[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) (const void *)point_naive<Function_##name>,
#include "core/math/point.def"
#undef POINT
};

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), in2 = plane_of(stage->in[1]), out = plane_of(stage->out);
    PixelType types[3] = {stage->in[0].shape.type, stage->in[1].shape.type, stage->out.shape.type};
    int channels = stage->in[0].shape.channels, out_channels = stage->out.shape.channels;
    PointJob job = *point_job(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &types[0], &in2, &types[1], &out, &types[2], &channels, &out_channels, &job};
    return gpu_launch(queue, "point naive", kernels[job.function], launch, arguments);
}

extern "C" const Level cuda_point_naive = {
    .op = &op_point,
    .name = "naive",
    .idea = "one thread a pixel",
    .run = run,
};
