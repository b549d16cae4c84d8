/* naive.cu: a thread a pixel, which finds its slope and those of its two neighbours. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/canny.h"
}

template <typename In>
static __device__ CannySlope slope_at(const Plane &in, const CannyJob &job, int channels, int x, int y) {
    CannySlope greatest = {0, 0, 0};
    int columns[3], rows[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const int tx = x + i - 1, ty = y + i - 1;
        columns[i] = (unsigned)tx < (unsigned)in.width ? tx : (int)border_index(job.border.mode, tx, in.width);
        rows[i] = (unsigned)ty < (unsigned)in.height ? ty : (int)border_index(job.border.mode, ty, in.height);
    }
    for (int c = 0; c < channels - job.alpha; c++) {
        double values[9];
#pragma unroll
        for (int i = 0; i < 9; i++)
            values[i] = rows[i / 3] < 0 || columns[i % 3] < 0
                            ? (double)job.border.value
                            : (double)row_of<In>(in, rows[i / 3])[columns[i % 3] * channels + c];
        const CannySlope slope = canny_slope(values);
        if (c == 0 || slope.magnitude > greatest.magnitude)
            greatest = slope;
    }
    return greatest;
}

template <typename In>
static __device__ double magnitude_at(const Plane &in, const CannyJob &job, int channels, int x, int y) {
    const bool inside = (unsigned)x < (unsigned)in.width && (unsigned)y < (unsigned)in.height;
    return inside ? slope_at<In>(in, job, channels, x, y).magnitude : 0;
}

template <typename In>
__global__ void canny_peaks(const __grid_constant__ Plane in, const __grid_constant__ Plane out, int channels,
                            const __grid_constant__ CannyJob job) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const CannySlope slope = slope_at<In>(in, job, channels, x, y);
    bool peak = slope.magnitude > job.low;
    if (peak) {
        const CannyDirection direction = canny_direction(slope);
        const int i = canny_step_x(direction), j = canny_step_y(direction);
        peak = canny_peak(direction, slope.magnitude, magnitude_at<In>(in, job, channels, x + i, y + j),
                          magnitude_at<In>(in, job, channels, x - i, y - j));
    }
    row_to<uint8_t>(out, y)[x] = !peak ? 0 : slope.magnitude > job.high ? CANNY_STRONG : CANNY_WEAK;
}

template <typename In> static Status run_as(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    CannyJob job = *canny_job(stage);
    int channels = stage->in[0].shape.channels;
    void *arguments[] = {&in, &out, &channels, &job};
    const Launch pixels = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), dim3(32, 8), 0};
    return gpu_launch(queue, "canny_peaks naive", (const void *)canny_peaks<In>, pixels, arguments);
}

static Status run(Queue *queue, const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U8    ? run_as<uint8_t>(queue, stage)
           : stage->in[0].shape.type == PIXEL_U16 ? run_as<uint16_t>(queue, stage)
                                                  : run_as<float>(queue, stage);
}

extern "C" const Level cuda_canny_peaks_naive = {
    .op = &op_canny_peaks,
    .name = "naive",
    .idea = "a thread a pixel finds its slope, and those of its two neighbours if it may be a peak",
    .run = run,
};
