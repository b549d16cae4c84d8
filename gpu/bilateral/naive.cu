/* naive.cu: the bilateral filter's formula, one thread a pixel, in double precision. The types are looked at at run
 * time. */
#include "gpu/bilateral/window.cuh"

typedef struct Picture {
    Plane plane;
    PixelType type;
    int channels;
} Picture;

static Picture picture_of(Frame frame) {
    const Picture picture = {plane_of(frame), frame.shape.type, frame.shape.channels};
    return picture;
}

static __device__ double value_at(const Picture &picture, const BilateralJob &job, int sx, int sy, int c) {
    if (sx < 0 || sy < 0)
        return (double)job.border.value;
    const int at = sx * picture.channels + c;
    return picture.type == PIXEL_U8    ? (double)row_of<uint8_t>(picture.plane, sy)[at]
           : picture.type == PIXEL_U16 ? (double)row_of<uint16_t>(picture.plane, sy)[at]
                                       : (double)row_of<float>(picture.plane, sy)[at];
}

__global__ void bilateral_naive(const __grid_constant__ Picture in, const __grid_constant__ Picture guide,
                                const __grid_constant__ Picture out, const __grid_constant__ BilateralJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.plane.width || y >= out.plane.height)
        return;
    double weights = 0, sums[4] = {0, 0, 0, 0}, centre[4];
    for (int c = 0; c < guide.channels; c++)
        centre[c] = value_at(guide, job, x, y, c);
    for (int j = -job.radius; j <= job.radius; j++) {
        const int sy = bilateral_index(job.border.mode, y + j, in.plane.height);
        for (int i = -job.radius; i <= job.radius; i++) {
            if (i * i + j * j > job.radius * job.radius)
                continue;
            const int sx = bilateral_index(job.border.mode, x + i, in.plane.width);
            double d = 0;
            for (int c = 0; c < guide.channels; c++)
                d += fabs(value_at(guide, job, sx, sy, c) - centre[c]);
            const double weight =
                exp(-(i * i + j * j) / (2 * job.space * job.space) - d * d / (2 * job.range * job.range));
            weights += weight;
            for (int c = 0; c < in.channels; c++)
                sums[c] += weight * value_at(in, job, sx, sy, c);
        }
    }
    for (int c = 0; c < out.channels; c++) {
        const double value = sums[c] / weights;
        if (out.type == PIXEL_U8)
            row_to<uint8_t>(out.plane, y)[x * out.channels + c] =
                (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
        else if (out.type == PIXEL_U16)
            row_to<uint16_t>(out.plane, y)[x * out.channels + c] = Stored<uint16_t>::from(value);
        else
            row_to<float>(out.plane, y)[x * out.channels + c] = (float)value;
    }
}

static Status run(Queue *queue, const Stage *stage) {
    Picture in = picture_of(stage->in[0]), guide = picture_of(bilateral_guide(stage)), out = picture_of(stage->out);
    BilateralJob job = *bilateral_job(stage);
    const Launch launch = {dim3(blocks_for(out.plane.width, 32), blocks_for(out.plane.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &guide, &out, &job};
    return gpu_launch(queue, "bilateral naive", (const void *)bilateral_naive, launch, arguments);
}

extern "C" const Level cuda_bilateral_naive = {
    .op = &op_bilateral,
    .name = "naive",
    .idea = "one thread a pixel, an exponential in double precision for each neighbour",
    .run = run,
};
