/* naive.cu: a step of diffusion, one thread a value. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/diffuse.h"
}

template <typename T> static __device__ __forceinline__ T load_as(const Plane &in, PixelType type, int at, int y) {
    return type == PIXEL_U8    ? (T)row_of<uint8_t>(in, y)[at]
           : type == PIXEL_U16 ? (T)row_of<uint16_t>(in, y)[at]
                               : (T)row_of<float>(in, y)[at];
}

static __device__ __forceinline__ float flow_of(const DiffuseJob &job, float d, float steep) {
    const float square = d * d * steep;
    return job.conductance == DIFFUSE_STEEP ? d * expf(-square) : d / (1 + square);
}
static __device__ __forceinline__ double flow_of(const DiffuseJob &job, double d, double steep) {
    (void)steep;
    return diffuse_flow(&job, d);
}

/* T: double where one of the pictures has 16 bits, which single precision would round differently. */
template <typename T>
__global__ void diffuse_naive(const __grid_constant__ Plane in, PixelType in_type, const __grid_constant__ Plane out,
                              PixelType out_type, int channels, const __grid_constant__ DiffuseJob job) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (at >= out.width * channels || y >= out.height)
        return;
    const int x = at / channels, c = at - x * channels;
    const T value = load_as<T>(in, in_type, at, y), steep = (T)(1 / (job.kappa * job.kappa));
    T flow = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int tx = x + (k == 1 ? -1 : k == 2), ty = y + (k == 0 ? -1 : k == 3);
        const bool inside = (unsigned)tx < (unsigned)in.width && (unsigned)ty < (unsigned)in.height;
        const int sx = inside ? tx : (int)border_index(job.border.mode, tx, in.width);
        const int sy = inside ? ty : (int)border_index(job.border.mode, ty, in.height);
        const T other = sx < 0 || sy < 0 ? (T)job.border.value : load_as<T>(in, in_type, sx * channels + c, sy);
        flow += flow_of(job, other - value, steep);
    }
    const T result = value + (T)job.rate * flow;
    if (out_type == PIXEL_U8)
        row_to<uint8_t>(out, y)[at] = Stored<uint8_t>::from((float)result);
    else if (out_type == PIXEL_U16)
        row_to<uint16_t>(out, y)[at] = Stored<uint16_t>::from(result);
    else
        row_to<float>(out, y)[at] = (float)result;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    PixelType in_type = stage->in[0].shape.type, out_type = stage->out.shape.type;
    int channels = stage->out.shape.channels;
    DiffuseJob job = *diffuse_job(stage);
    const bool wide = in_type == PIXEL_U16 || out_type == PIXEL_U16;
    const Launch launch = {dim3(blocks_for(out.width * channels, 64), blocks_for(out.height, 4)), dim3(64, 4), 0};
    void *arguments[] = {&in, &in_type, &out, &out_type, &channels, &job};
    return gpu_launch(queue, "diffuse naive",
                      wide ? (const void *)diffuse_naive<double> : (const void *)diffuse_naive<float>, launch,
                      arguments);
}

extern "C" const Level cuda_diffuse_naive = {
    .op = &op_diffuse,
    .name = "naive",
    .idea = "one thread a value reads its four neighbours",
    .run = run,
};
