/* naive.cu: steps of diffusion, one kernel each, one thread a value. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/diffuse.h"
}

/* A picture, or the values between two steps, in the precision of the sums. */
enum { BETWEEN = PIXEL_TYPES };

template <typename T> static __device__ __forceinline__ T load_as(const Plane &in, int type, int at, int y) {
    return type == BETWEEN     ? row_of<T>(in, y)[at]
           : type == PIXEL_U8  ? (T)row_of<uint8_t>(in, y)[at]
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
__global__ void diffuse_naive(const __grid_constant__ Plane in, int in_type, const __grid_constant__ Plane out,
                              int out_type, int channels, const __grid_constant__ DiffuseJob job) {
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
    if (out_type == BETWEEN)
        row_to<T>(out, y)[at] = result;
    else if (out_type == PIXEL_U8)
        row_to<uint8_t>(out, y)[at] = Stored<uint8_t>::from((float)result);
    else if (out_type == PIXEL_U16)
        row_to<uint16_t>(out, y)[at] = Stored<uint16_t>::from(result);
    else
        row_to<float>(out, y)[at] = (float)result;
}

static bool is_wide(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16 || stage->out.shape.type == PIXEL_U16;
}

static Plane between(const Stage *stage, unsigned char *memory) {
    const Shape shape = stage->out.shape;
    const size_t stride = shape.width * (size_t)shape.channels * (is_wide(stage) ? sizeof(double) : sizeof(float));
    const Plane plane = {memory, stride, (int)shape.width, (int)shape.height};
    return plane;
}

/* Two pictures between which steps go back and forth. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return diffuse_job(stage)->steps > 1 ? 2 * between(stage, NULL).stride * stage->out.shape.height : 0;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane from = plane_of(stage->in[0]), to;
    int from_type = stage->in[0].shape.type, to_type, channels = stage->out.shape.channels;
    DiffuseJob job = *diffuse_job(stage);
    unsigned char *memory = NULL;
    if (job.steps > 1)
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&memory));
    const Launch launch = {dim3(blocks_for(from.width * channels, 64), blocks_for(from.height, 4)), dim3(64, 4), 0};
    void *arguments[] = {&from, &from_type, &to, &to_type, &channels, &job};
    for (int i = 0; i < job.steps; i++) {
        const bool last = i + 1 == job.steps;
        to = last ? plane_of(stage->out) : between(stage, memory + (i % 2 ? workspace(queue->device, stage) / 2 : 0));
        to_type = last ? (int)stage->out.shape.type : (int)BETWEEN;
        TRY(gpu_launch(queue, "diffuse naive",
                       is_wide(stage) ? (const void *)diffuse_naive<double> : (const void *)diffuse_naive<float>,
                       launch, arguments));
        from = to;
        from_type = BETWEEN;
    }
    return STATUS_OK;
}

extern "C" const Level cuda_diffuse_naive = {
    .op = &op_diffuse,
    .name = "naive",
    .idea = "one thread a value reads its four neighbours, a kernel for each step",
    .workspace = workspace,
    .run = run,
};
