/* running.cu: sums that run, so that the radius does not matter. A thread goes down a column and keeps its sum. Along
 * the row, a window's sum is the difference of two prefix sums of the block. Moments of u8 and u16 are whole numbers,
 * so that differences of them are exact. Moments of f32 are double. A value that is not finite would stay in them.
 * It counts as 0, and one more sum tells how many of these a window has. */
#include "gpu/guided/picture.cuh"

#include <math_constants.h>

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

/* The sums of a column: of the guide, its squares, the picture and products with it, and how many are not finite. */
template <typename Sum, bool JOINT> struct Moments {
    enum { COUNT = JOINT ? 4 : 2, SUMS = COUNT };
};
template <bool JOINT> struct Moments<double, JOINT> {
    enum { COUNT = JOINT ? 4 : 2, SUMS = COUNT + 1 };
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
    typedef Moments<Sum, JOINT> Of;
    if (Of::SUMS > Of::COUNT && !(isfinite((double)value) && isfinite((double)p))) {
        sums[Of::SUMS - 1] += sign;
        return;
    }
    sums[0] += sign * value;
    sums[1] += sign * value * value;
    if (JOINT) {
        sums[2] += sign * p;
        sums[3] += sign * value * p;
    }
}

/* count * products - a * b, exact for whole numbers. */
template <typename Sum> static __device__ __forceinline__ double spread(int count, Sum products, Sum a, Sum b) {
    return (double)((long long)count * (long long)products - (long long)a * (long long)b);
}
template <> __device__ __forceinline__ double spread<double>(int count, double products, double a, double b) {
    return count * products - a * b;
}

/* Windows lie from radius before the picture to radius behind it; blockIdx.z is the channel. */
template <typename Sum, bool JOINT>
__global__ void __launch_bounds__(ACROSS)
    guided_running_fit(const __grid_constant__ Picture in, const __grid_constant__ Picture guide,
                       const __grid_constant__ GuidedJob job, double2 *fits) {
    enum { MOMENTS = Moments<Sum, JOINT>::COUNT, SUMS = Moments<Sum, JOINT>::SUMS };
    __shared__ Windows<Sum, SUMS> windows;
    const int around = 2 * job.radius, side = around + 1, c = blockIdx.z, step = ACROSS - around;
    const int width = in.plane.width + around, height = in.plane.height + around;
    const int fx = blockIdx.x * step + threadIdx.x, begin = blockIdx.y * ROWS, end = min(begin + ROWS, height);
    const int sx = index_of(job.border.mode, min(fx, width + around - 1) - around, in.plane.width);
    const bool writes = (int)threadIdx.x < step && fx < width;
    const int count = side * side;
    Sum column[SUMS] = {}, sums[SUMS];
    for (int y = begin - around; y < begin; y++)
        move_row<Sum, JOINT>(in, guide, job, sx, y, c, true, column);
    for (int fy = begin; fy < end; fy++) {
        move_row<Sum, JOINT>(in, guide, job, sx, fy, c, true, column);
        windows.sum(column, side, sums);
        move_row<Sum, JOINT>(in, guide, job, sx, fy - around, c, false, column);
        if (!writes)
            continue;
        const Sum guides = sums[0], pictures = sums[JOINT ? 2 : 0];
        const double variance = spread(count, sums[1], guides, guides);
        const double covariance = JOINT ? spread(count, sums[MOMENTS - 1], guides, pictures) : variance;
        const double a = covariance / (variance + job.epsilon * (double)count * (double)count);
        const bool known = SUMS == MOMENTS || sums[SUMS - 1] == (Sum)0;
        fits[((size_t)c * height + fy) * width + fx] =
            known ? make_double2(a, ((double)pictures - a * (double)guides) / (double)count)
                  : make_double2(CUDART_NAN, CUDART_NAN);
    }
}

/* A fit comes to the sums, or goes. With UNKNOWN, some are NaN, and counted. */
template <bool UNKNOWN> static __device__ __forceinline__ void move_fit(double2 fit, double sign, double *sums) {
    if (UNKNOWN && isnan(fit.x)) {
        sums[2] += sign;
        return;
    }
    sums[0] += sign * fit.x;
    sums[1] += sign * fit.y;
}

template <bool UNKNOWN>
__global__ void __launch_bounds__(ACROSS)
    guided_running_mean(const __grid_constant__ Picture guide, const __grid_constant__ Picture out,
                        const __grid_constant__ GuidedJob job, const double2 *fits) {
    enum { SUMS = UNKNOWN ? 3 : 2 };
    __shared__ Windows<double, SUMS> windows;
    const int around = 2 * job.radius, side = around + 1, c = blockIdx.z, step = ACROSS - around;
    const int width = out.plane.width + around, height = out.plane.height + around;
    const int x = blockIdx.x * step + threadIdx.x, begin = blockIdx.y * ROWS, end = min(begin + ROWS, out.plane.height);
    const bool writes = (int)threadIdx.x < step && x < out.plane.width;
    const double share = 1.0 / (side * side);
    const double2 *from = fits + (size_t)c * height * width + min(x, width - 1);
    double column[SUMS] = {}, sums[SUMS];
    for (int y = begin; y < begin + around; y++)
        move_fit<UNKNOWN>(from[(size_t)y * width], 1, column);
    for (int y = begin; y < end; y++) {
        move_fit<UNKNOWN>(from[(size_t)(y + around) * width], 1, column);
        windows.sum(column, side, sums);
        move_fit<UNKNOWN>(from[(size_t)y * width], -1, column);
        if (UNKNOWN && sums[SUMS - 1] > 0)
            sums[0] = CUDART_NAN;
        if (writes)
            store_at(out, x, y, c,
                     sums[0] * share * stored_at(guide, x, y, guide.channels > 1 ? c : 0) + sums[1] * share);
    }
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
    typedef enum Kind { BYTES, WHOLE, REAL, KINDS } Kind; /* of sums, in 32 bits, 64 bits and double */
    static const void *const kernels[KINDS][2] = {
        {(const void *)guided_running_fit<unsigned, false>, (const void *)guided_running_fit<unsigned, true>},
        {(const void *)guided_running_fit<unsigned long long, false>,
         (const void *)guided_running_fit<unsigned long long, true>},
        {(const void *)guided_running_fit<double, false>, (const void *)guided_running_fit<double, true>}};
    const float outside = job.border.value;
    const bool whole = outside == rintf(outside) && outside >= 0 && outside <= 65535;
    const Kind kind = in.type == PIXEL_F32 || guide.type == PIXEL_F32 || !whole         ? REAL
                      : in.type == PIXEL_U8 && guide.type == PIXEL_U8 && outside <= 255 ? BYTES
                                                                                        : WHOLE;
    const void *mean =
        kind == REAL ? (const void *)guided_running_mean<true> : (const void *)guided_running_mean<false>;
    void *fitting[] = {&in, &guide, &job, &fits};
    void *averaging[] = {&guide, &out, &job, &fits};
    TRY(gpu_launch(queue, "guided running", kernels[kind][job.joint], windows, fitting));
    return gpu_launch(queue, "guided running, means", mean, pixels, averaging);
}

extern "C" const Level cuda_guided_running = {
    .op = &op_guided,
    .name = "running",
    .idea = "a thread's sum runs down its column, and windows are differences of a block's prefix sums",
    .workspace = workspace,
    .predictor = &guided_measured,
    .run = run,
};
