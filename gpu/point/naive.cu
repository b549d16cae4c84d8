/* naive.cu: a point program, one thread a pixel. Types and functions are looked at at run time. */
#include "gpu/point/pixels.cuh"

extern "C" {
#include "gpu/point/measured.h"
}

static __device__ double load_value(Plane plane, PixelType type, int at, int y) {
    return type == PIXEL_U8    ? (double)row_of<uint8_t>(plane, y)[at]
           : type == PIXEL_U16 ? (double)row_of<uint16_t>(plane, y)[at]
                               : (double)row_of<float>(plane, y)[at];
}

static __device__ void store_value(Plane plane, PixelType type, int at, int y, double value) {
    if (type == PIXEL_U8)
        row_to<uint8_t>(plane, y)[at] = (uint8_t)value;
    else if (type == PIXEL_U16)
        row_to<uint16_t>(plane, y)[at] = (uint16_t)value;
    else
        row_to<float>(plane, y)[at] = (float)value;
}

__global__ void point_naive(Sources in, int channels, Plane out, PixelType out_type, int out_channels, PointJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    PointPixel pixel = {{{0}}};
    double v[POINT_CHANNELS] = {0};
    for (int k = 0; k < STAGE_INPUTS; k++)
        for (int c = 0; c < channels && in.of[k].plane.pixels; c++)
            pixel.v[k][c] = load_value(in.of[k].plane, in.of[k].type, x * channels + c, y);
    for (int c = 0; c < channels; c++)
        v[c] = pixel.v[0][c];
    for (int i = 0; i < job.count; i++)
        channels = point_step(&job, i, &pixel, channels, v);
    for (int c = 0; c < out_channels; c++)
        store_value(out, out_type, x * out_channels + c, y, v[c]);
}

static Status run(Queue *queue, const Stage *stage) {
    Sources in = sources_of(stage);
    Plane out = plane_of(stage->out);
    PixelType out_type = stage->out.shape.type;
    int channels = stage->in[0].shape.channels, out_channels = stage->out.shape.channels;
    PointJob job = *point_job(stage);
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &channels, &out, &out_type, &out_channels, &job};
    return gpu_launch(queue, "point naive", (const void *)point_naive, launch, arguments);
}

extern "C" const Level cuda_point_naive = {
    .op = &op_point,
    .name = "naive",
    .idea = "one thread a pixel",
    .predictor = &point_measured,
    .run = run,
};
