/* vectors.cu: a point program on several pixels a thread, which come and go in few long accesses. A program of one step
 * has a kernel of its own, in which the function is known; others look it up step by step. Arithmetic is double: the
 * reference's values, bit for bit but for pow. */
#include "gpu/point/pixels.cuh"

extern "C" {
#include "gpu/point/measured.h"
}

/* Pixels of a thread: 8 to 12 values. */
template <int C> struct Width {
    enum { PIXELS = C == 1 ? 8 : C == 4 ? 2 : 4, VALUES = PIXELS * C };
};

/* Where the functions of light leave channels out. */
template <int C, int N>
static __device__ __forceinline__ void store_narrow(const Plane &out, PixelType type, int channels, int x, int y,
                                                    const double (&v)[N]) {
#pragma unroll
    for (int i = 0; i < N; i++) {
        const int pixel = x + i / C, c = i % C;
        if (pixel >= out.width || c >= channels)
            continue;
        const int at = pixel * channels + c;
        if (type == PIXEL_U8)
            row_to<uint8_t>(out, y)[at] = (uint8_t)v[i];
        else if (type == PIXEL_U16)
            row_to<uint16_t>(out, y)[at] = (uint16_t)v[i];
        else
            row_to<float>(out, y)[at] = (float)v[i];
    }
}

/* The functions of core/stage/point.h as types, for each of which there are kernels. */
#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    struct Function_##name {                                                                                           \
        enum { INPUTS = inputs };                                                                                      \
        static __device__ __forceinline__ void apply(const double *p, double w, int channels, const double *in,        \
                                                     const double *in2, const double *in3, double *out) {              \
            point_##name(p, w, channels, in, in2, in3, out);                                                           \
        }                                                                                                              \
    };
#include "core/stage/point.def"
#undef POINT

template <typename Function, int C>
__global__ void point_vector(Sources in, Plane out, PixelType out_type, int out_channels,
                             const __grid_constant__ PointJob job) {
    enum { PIXELS = Width<C>::PIXELS, VALUES = Width<C>::VALUES };
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * PIXELS, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const PointStep &step = job.steps[0];
    double v[STAGE_INPUTS][VALUES], results[VALUES];
    load_pixels<C>(in.of[0], x, y, v[0]);
#pragma unroll
    for (int k = 1; k < STAGE_INPUTS; k++) {
        if (k >= Function::INPUTS)
            continue;
        load_pixels<C>(in.of[step.reads[k]], x, y, v[k]);
#pragma unroll
        for (int i = 0; i < VALUES; i++)
            v[k][i] = step.scale[k] * v[k][i];
    }
#pragma unroll
    for (int i = 0; i < PIXELS; i++)
        Function::apply(job.pool + step.parameters, step.white, C, v[0] + i * C, v[1] + i * C, v[2] + i * C,
                        results + i * C);
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        results[i] = point_stored(results[i], out_type);
    if (out_channels == C)
        store_pixels<C>(out, out_type, x, y, results);
    else
        store_narrow<C>(out, out_type, out_channels, x, y, results);
}

template <int C>
__global__ void point_vectors(Sources in, Plane out, PixelType out_type, const __grid_constant__ PointJob job) {
    enum { PIXELS = Width<C>::PIXELS, VALUES = Width<C>::VALUES };
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * PIXELS, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    double v[STAGE_INPUTS][VALUES], now[VALUES];
#pragma unroll
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in.of[k].plane.pixels)
            load_pixels<C>(in.of[k], x, y, v[k]);
#pragma unroll
    for (int i = 0; i < VALUES; i++)
        now[i] = v[0][i];
#pragma unroll 1
    for (int s = 0; s < job.count; s++) {
        const PointStep &step = job.steps[s];
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
            PointPixel pixel;
            double values[POINT_CHANNELS];
#pragma unroll
            for (int c = 0; c < C; c++) {
                values[c] = now[i * C + c];
#pragma unroll
                for (int k = 0; k < STAGE_INPUTS; k++)
                    pixel.v[k][c] = v[k][i * C + c];
            }
            point_apply(&step, job.pool + step.parameters, &pixel, C, values);
#pragma unroll
            for (int c = 0; c < C; c++)
                now[i * C + c] = point_stored(values[c], step.type);
        }
    }
    store_pixels<C>(out, out_type, x, y, now);
}

#define POINT(name, inputs, reach, alpha, help, body)                                                                  \
    {(const void *)point_vector<Function_##name, 1>, (const void *)point_vector<Function_##name, 2>,                   \
     (const void *)point_vector<Function_##name, 3>, (const void *)point_vector<Function_##name, 4>},
static const void *const singles[POINT_FUNCTIONS][POINT_CHANNELS] = {
#include "core/stage/point.def"
};
#undef POINT

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "a program of several steps has as many channels behind it as before";
    return point_job(stage)->count == 1 || stage->in[0].shape.channels == stage->out.shape.channels;
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const programs[POINT_CHANNELS] = {(const void *)point_vectors<1>, (const void *)point_vectors<2>,
                                                         (const void *)point_vectors<3>,
                                                         (const void *)point_vectors<4>};
    static const int pixels[POINT_CHANNELS] = {Width<1>::PIXELS, Width<2>::PIXELS, Width<3>::PIXELS, Width<4>::PIXELS};
    Sources in = sources_of(stage);
    Plane out = plane_of(stage->out);
    PixelType out_type = stage->out.shape.type;
    int channels = stage->in[0].shape.channels, out_channels = stage->out.shape.channels;
    PointJob job = *point_job(stage);
    const int each = pixels[channels - 1];
    const Launch launch = {dim3(blocks_for(out.width, 32 * each), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *one[] = {&in, &out, &out_type, &out_channels, &job}, *several[] = {&in, &out, &out_type, &job};
    return job.count == 1
               ? gpu_launch(queue, "point vectors", singles[job.steps[0].function][channels - 1], launch, one)
               : gpu_launch(queue, "point vectors", programs[channels - 1], launch, several);
}

extern "C" const Level cuda_point_vectors = {
    .op = &op_point,
    .name = "vectors",
    .idea = "several pixels a thread, which come and go in few long accesses",
    .accepts = accepts,
    .predictor = &point_measured,
    .run = run,
};
