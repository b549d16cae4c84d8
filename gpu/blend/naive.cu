/* naive.cu: one thread a pixel, in double. Types and channels are looked at at run time. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/blend.h"
#include "core/ops/histogram.h"
}

typedef struct Source {
    Plane plane;
    PixelType type;
    int channels, colours;
} Source;

static Source source_of(Frame frame) {
    const Source source = {plane_of(frame), frame.shape.type, frame.shape.channels,
                           frame.pixels ? shape_colours(frame.shape) : 0};
    return source;
}

static __device__ double load_value(const Source &from, int x, int y, int c) {
    const int at = x * from.channels + c;
    return from.type == PIXEL_U8    ? (double)row_of<uint8_t>(from.plane, y)[at]
           : from.type == PIXEL_U16 ? (double)row_of<uint16_t>(from.plane, y)[at]
                                    : (double)row_of<float>(from.plane, y)[at];
}

static __device__ void store_value(const Source &to, int x, int y, int c, double value) {
    const int at = x * to.channels + c;
    if (to.type == PIXEL_U8)
        row_to<uint8_t>(to.plane, y)[at] = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
    else if (to.type == PIXEL_U16)
        row_to<uint16_t>(to.plane, y)[at] = Stored<uint16_t>::from(value);
    else
        row_to<float>(to.plane, y)[at] = (float)value;
}

__global__ void blend_naive(const __grid_constant__ Source in, const __grid_constant__ Source other,
                            const __grid_constant__ Source mask, const __grid_constant__ Source to,
                            const __grid_constant__ BlendJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.plane.width || y >= in.plane.height)
        return;
    double b[4] = {0}, s[4] = {0}, out[4] = {0}, all, opacity = job.opacity;
    for (int c = 0; c < in.channels; c++)
        b[c] = load_value(in, x, y, c);
    for (int c = 0; c < in.colours; c++)
        s[c] = job.scale * load_value(other, x, y, other.colours == 1 ? 0 : c);
    if (job.masked) {
        double luma = load_value(mask, x, y, 0);
        if (mask.colours == 3)
            luma = 0.2126 * luma + 0.7152 * load_value(mask, x, y, 1) + 0.0722 * load_value(mask, x, y, 2);
        opacity *= luma / job.mask_white;
    }
    const bool alpha = in.channels > in.colours && !job.ignore_alpha;
    const bool other_alpha = other.channels > other.colours && !job.ignore_alpha;
    blend_pixel(&job, in.colours, b, alpha ? b[in.colours] : job.white, s,
                other_alpha ? job.scale * load_value(other, x, y, other.colours) : job.white, opacity, out, &all);
    for (int c = 0; c < in.colours; c++)
        store_value(to, x, y, c, out[c]);
    if (in.channels > in.colours)
        store_value(to, x, y, in.colours, job.ignore_alpha ? b[in.colours] : all);
}

static Status run(Queue *queue, const Stage *stage) {
    Source in = source_of(stage->in[0]), other = source_of(stage->in[1]), mask = source_of(stage->in[2]);
    Source out = source_of(stage->out);
    BlendJob job = *blend_job(stage);
    const Launch launch = {dim3(blocks_for(in.plane.width, 32), blocks_for(in.plane.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &other, &mask, &out, &job};
    return gpu_launch(queue, "blend naive", (const void *)blend_naive, launch, arguments);
}

extern "C" const Level cuda_blend_naive = {
    .op = &op_blend,
    .name = "naive",
    .idea = "one thread a pixel, in double",
    .run = run,
};
