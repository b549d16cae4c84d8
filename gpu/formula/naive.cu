/* naive.cu: a formula, one thread a pixel. A thread's registers of the formula lie in its local memory, as the program
 * numbers them at run time. */
#include "gpu/point/pixels.cuh"

extern "C" {
#include "core/ops/formula.h"
}

static __device__ float load_value(const Source &source, int at, int y) {
    return source.type == PIXEL_U8    ? (float)row_of<uint8_t>(source.plane, y)[at]
           : source.type == PIXEL_U16 ? (float)row_of<uint16_t>(source.plane, y)[at]
                                      : row_of<float>(source.plane, y)[at];
}

static __device__ void store_value(const Plane &plane, PixelType type, int at, int y, float value) {
    if (type == PIXEL_U8)
        row_to<uint8_t>(plane, y)[at] = Stored<uint8_t>::from(value);
    else if (type == PIXEL_U16)
        row_to<uint16_t>(plane, y)[at] = Stored<uint16_t>::from(value);
    else
        row_to<float>(plane, y)[at] = value;
}

typedef struct Channels {
    int in[FORMULA_INPUTS], out, made; /* `made`: by the formula; the others are in[0]'s alpha */
} Channels;

__global__ void formula_naive(Sources in, Plane out, PixelType out_type, Channels channels,
                              const __grid_constant__ FormulaJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    float values[FORMULA_INPUTS][FORMULA_CHANNELS] = {{0}}, results[FORMULA_CHANNELS] = {0};
    for (int k = 0; k < job.inputs; k++)
        for (int c = 0; c < channels.in[k]; c++)
            values[k][c] = load_value(in.of[k], x * channels.in[k] + c, y) / job.white[k];
    formula_pixel(&job.program, values, (float)x, (float)y + job.top, channels.made, results);
    for (int c = 0; c < channels.made; c++)
        store_value(out, out_type, x * channels.out + c, y, results[c] * job.white[0]);
    if (channels.made < channels.out)
        store_value(out, out_type, x * channels.out + channels.made, y,
                    load_value(in.of[0], x * channels.in[0] + channels.in[0] - 1, y));
}

static Status run(Queue *queue, const Stage *stage) {
    Sources in = sources_of(stage);
    Plane out = plane_of(stage->out);
    PixelType out_type = stage->out.shape.type;
    FormulaJob job = *formula_job(stage);
    Channels channels = {{0}, stage->out.shape.channels, stage->out.shape.channels - formula_keeps_alpha(stage)};
    for (int k = 0; k < job.inputs; k++)
        channels.in[k] = stage->in[k].shape.channels;
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &out, &out_type, &channels, &job};
    return gpu_launch(queue, "formula naive", (const void *)formula_naive, launch, arguments);
}

extern "C" const Level cuda_formula_naive = {
    .op = &op_formula,
    .name = "naive",
    .idea = "one thread a pixel",
    .run = run,
};
