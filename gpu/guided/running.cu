/* running.cu: sums that run, so that the radius does not matter. A thread goes down a column and keeps its sum. Along
 * the row, a window's sum is the difference of two prefix sums of the block. Moments of u8 and u16 are whole numbers,
 * so that differences of them are exact. */
#include "gpu/guided/picture.cuh"

extern "C" {
#include "gpu/guided/measured.h"
}

enum { ACROSS = 256, ROWS = 128, WARPS = ACROSS / 32 };

/* Inclusive prefix sums of N quantities over the block, and of each the sum from this thread on over `side` of them. To
 * be called by all. */
template <typename Sum, int N> struct Windows {
    Sum totals[N][WARPS], prefix[N][ACROSS];

    __device__ __forceinline__ void sum(const Sum values[N], int side, Sum sums[N]) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        Sum running[N];
        for (int k = 0; k < N; k++) {
            running[k] = values[k];
            for (int step = 1; step < 32; step *= 2) {
                const Sum before = __shfl_up_sync(0xffffffffU, running[k], step);
                running[k] += lane >= step ? before : (Sum)0;
            }
            if (lane == 31)
                totals[k][warp] = running[k];
        }
        __syncthreads();
        for (int k = 0; k < N; k++) {
            for (int w = 0; w < WARPS - 1; w++)
                running[k] += w < warp ? totals[k][w] : (Sum)0;
            prefix[k][threadIdx.x] = running[k];
        }
        __syncthreads();
        const int last = min((int)threadIdx.x + side - 1, ACROSS - 1);
        for (int k = 0; k < N; k++)
            sums[k] = prefix[k][last] - (running[k] - values[k]);
    }
};

/* The column's row y comes to the sums, or goes. */
template <typename Sum, bool JOINT>
static __device__ __forceinline__ void move_row(const Picture &in, const Picture &guide, const GuidedJob &job, int sx,
                                                int y, int c, bool comes, Sum *sums) {
    const int sy = index_of(job.border.mode, y, in.plane.height);
    const bool outside = sx < 0 || sy < 0;
    const Sum p = outside ? (Sum)job.border.value : (Sum)stored_at(in, sx, sy, c);
    const Sum value = !JOINT    ? p
                      : outside ? (Sum)job.border.value
                                : (Sum)stored_at(guide, sx, sy, guide.channels > 1 ? c : 0);
    const Sum sign = comes ? (Sum)1 : (Sum)-1;
    sums[0] += sign * value;
    sums[1] += sign * value * value;
    if (JOINT) {
        sums[2] += sign * p;
        sums[3] += sign * value * p;
    }
}

/* Windows lie from radius before the picture to radius behind it; blockIdx.z is the channel. */
template <typename Sum, bool JOINT>
__global__ void __launch_bounds__(ACROSS)
    guided_running_fit(const __grid_constant__ Picture in, const __grid_constant__ Picture guide,
                       const __grid_constant__ GuidedJob job, double2 *fits) {
    enum { MOMENTS = JOINT ? 4 : 2 };
    __shared__ Windows<Sum, MOMENTS> windows;
    const int around = 2 * job.radius, side = around + 1, c = blockIdx.z, step = ACROSS - around;
    const int width = in.plane.width + around, height = in.plane.height + around;
    const int fx = blockIdx.x * step + threadIdx.x, begin = blockIdx.y * ROWS, end = min(begin + ROWS, height);
    const int sx = index_of(job.border.mode, min(fx, width + around - 1) - around, in.plane.width);
    const bool writes = (int)threadIdx.x < step && fx < width;
    const long long count = side * side;
    Sum column[MOMENTS] = {}, sums[MOMENTS];
    for (int y = begin - around; y < begin; y++)
        move_row<Sum, JOINT>(in, guide, job, sx, y, c, true, column);
    for (int fy = begin; fy < end; fy++) {
        move_row<Sum, JOINT>(in, guide, job, sx, fy, c, true, column);
        windows.sum(column, side, sums);
        move_row<Sum, JOINT>(in, guide, job, sx, fy - around, c, false, column);
        if (!writes)
            continue;
        const long long guides = (long long)sums[0], pictures = (long long)sums[JOINT ? 2 : 0];
        const double variance = (double)(count * (long long)sums[1] - guides * guides);
        const double covariance = JOINT ? (double)(count * (long long)sums[MOMENTS - 1] - guides * pictures) : variance;
        const double a = covariance / (variance + job.epsilon * (double)(count * count));
        fits[((size_t)c * height + fy) * width + fx] =
            make_double2(a, ((double)pictures - a * (double)guides) / (double)count);
    }
}

__global__ void __launch_bounds__(ACROSS)
    guided_running_mean(const __grid_constant__ Picture guide, const __grid_constant__ Picture out,
                        const __grid_constant__ GuidedJob job, const double2 *fits) {
    __shared__ Windows<double, 2> windows;
    const int around = 2 * job.radius, side = around + 1, c = blockIdx.z, step = ACROSS - around;
    const int width = out.plane.width + around, height = out.plane.height + around;
    const int x = blockIdx.x * step + threadIdx.x, begin = blockIdx.y * ROWS, end = min(begin + ROWS, out.plane.height);
    const bool writes = (int)threadIdx.x < step && x < out.plane.width;
    const double share = 1.0 / (side * side);
    const double2 *from = fits + (size_t)c * height * width + min(x, width - 1);
    double column[2] = {}, sums[2];
    for (int y = begin; y < begin + around; y++) {
        const double2 fit = from[(size_t)y * width];
        column[0] += fit.x;
        column[1] += fit.y;
    }
    for (int y = begin; y < end; y++) {
        const double2 comes = from[(size_t)(y + around) * width], goes = from[(size_t)y * width];
        column[0] += comes.x;
        column[1] += comes.y;
        windows.sum(column, side, sums);
        column[0] -= goes.x;
        column[1] -= goes.y;
        if (writes)
            store_at(out, x, y, c,
                     sums[0] * share * stored_at(guide, x, y, guide.channels > 1 ? c : 0) + sums[1] * share);
    }
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const float outside = guided_job(stage)->border.value;
    *why_not = "its sums are of whole numbers, and the pictures' or the border's values are none";
    return stage->in[0].shape.type != PIXEL_F32 && guided_guide(stage).shape.type != PIXEL_F32 &&
           outside == rintf(outside) && outside >= 0 && outside <= 65535;
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
    const int around = 2 * job.radius, step = ACROSS - around;
    const Launch windows = {
        dim3(blocks_for(in.plane.width + around, step), blocks_for(in.plane.height + around, ROWS), channels),
        dim3(ACROSS), 0};
    const Launch pixels = {dim3(blocks_for(in.plane.width, step), blocks_for(in.plane.height, ROWS), channels),
                           dim3(ACROSS), 0};
    const bool narrow = in.type == PIXEL_U8 && guide.type == PIXEL_U8 && job.border.value <= 255; /* below 2^31 */
    const void *fit = narrow      ? job.joint ? (const void *)guided_running_fit<unsigned, true>
                                              : (const void *)guided_running_fit<unsigned, false>
                           : job.joint ? (const void *)guided_running_fit<unsigned long long, true>
                                  : (const void *)guided_running_fit<unsigned long long, false>;
    void *fitting[] = {&in, &guide, &job, &fits};
    void *averaging[] = {&guide, &out, &job, &fits};
    TRY(gpu_launch(queue, "guided running", fit, windows, fitting));
    return gpu_launch(queue, "guided running, means", (const void *)guided_running_mean, pixels, averaging);
}

extern "C" const Level cuda_guided_running = {
    .op = &op_guided,
    .name = "running",
    .idea = "a thread's sum runs down its column, and windows are differences of a block's prefix sums",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &guided_measured,
    .run = run,
};
