/* fits.cu: one kernel makes the fit of each window, another the means of the fits. A thread sums up a column of the
 * window after the other, in double precision. */
#include "gpu/guided/picture.cuh"

extern "C" {
#include "gpu/guided/measured.h"
}

/* Windows lie from radius before the picture to radius behind it; blockIdx.z is the channel. */
__global__ void guided_fit(const __grid_constant__ Picture in, const __grid_constant__ Picture guide,
                           const __grid_constant__ GuidedJob job, double2 *fits) {
    const int radius = job.radius, c = blockIdx.z, width = in.plane.width + 2 * radius;
    const int height = in.plane.height + 2 * radius;
    const int fx = blockIdx.x * blockDim.x + threadIdx.x, fy = blockIdx.y * blockDim.y + threadIdx.y;
    if (fx >= width || fy >= height)
        return;
    double sum_i = 0, sum_p = 0, sum_ii = 0, sum_ip = 0;
    for (int j = -radius; j <= radius; j++) {
        const int sy = index_of(job.border.mode, fy - radius + j, in.plane.height);
        for (int i = -radius; i <= radius; i++) {
            const int sx = index_of(job.border.mode, fx - radius + i, in.plane.width);
            const bool outside = sx < 0 || sy < 0;
            const double p = outside ? (double)job.border.value : stored_at(in, sx, sy, c);
            const double value = !job.joint ? p
                                 : outside  ? (double)job.border.value
                                            : stored_at(guide, sx, sy, guide.channels > 1 ? c : 0);
            sum_i += value;
            sum_p += p;
            sum_ii += value * value;
            sum_ip += value * p;
        }
    }
    const double share = 1 / ((2.0 * radius + 1) * (2 * radius + 1)), mean_i = sum_i * share, mean_p = sum_p * share;
    const double a = (sum_ip * share - mean_i * mean_p) / (sum_ii * share - mean_i * mean_i + job.epsilon);
    fits[((size_t)c * height + fy) * width + fx] = make_double2(a, mean_p - a * mean_i);
}

__global__ void guided_mean(const __grid_constant__ Picture guide, const __grid_constant__ Picture out,
                            const __grid_constant__ GuidedJob job, const double2 *fits) {
    const int radius = job.radius, c = blockIdx.z, width = out.plane.width + 2 * radius;
    const int height = out.plane.height + 2 * radius;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.plane.width || y >= out.plane.height)
        return;
    double a = 0, b = 0;
    for (int j = 0; j <= 2 * radius; j++)
        for (int i = 0; i <= 2 * radius; i++) {
            const double2 fit = fits[((size_t)c * height + y + j) * width + x + i];
            a += fit.x;
            b += fit.y;
        }
    const double share = 1 / ((2.0 * radius + 1) * (2 * radius + 1));
    const double value = a * share * stored_at(guide, x, y, guide.channels > 1 ? c : 0) + b * share;
    store_at(out, x, y, c, value);
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    const Shape shape = stage->out.shape;
    const size_t around = 2 * (size_t)guided_job(stage)->radius;
    return (shape.width + around) * (shape.height + around) * (size_t)shape.channels * sizeof(double2);
}

static Status run(Queue *queue, const Stage *stage) {
    Picture in = picture_of(stage->in[0]), guide = picture_of(guided_guide(stage)), out = picture_of(stage->out);
    GuidedJob job = *guided_job(stage);
    void *fits;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &fits));
    const unsigned channels = (unsigned)out.channels;
    const int around = 2 * job.radius;
    const Launch windows = {
        dim3(blocks_for(in.plane.width + around, 32), blocks_for(in.plane.height + around, 8), channels), dim3(32, 8),
        0};
    const Launch pixels = {dim3(blocks_for(in.plane.width, 32), blocks_for(in.plane.height, 8), channels), dim3(32, 8),
                           0};
    void *fitting[] = {&in, &guide, &job, &fits};
    void *averaging[] = {&guide, &out, &job, &fits};
    TRY(gpu_launch(queue, "guided fits", (const void *)guided_fit, windows, fitting));
    return gpu_launch(queue, "guided fits, means", (const void *)guided_mean, pixels, averaging);
}

extern "C" const Level cuda_guided_fits = {
    .op = &op_guided,
    .name = "fits",
    .idea = "a kernel for the fits of all windows, another for their means, a thread a window",
    .workspace = workspace,
    .predictor = &guided_measured,
    .run = run,
};
