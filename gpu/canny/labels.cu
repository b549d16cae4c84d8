/* labels.cu: edges without going over the picture again and again: peaks that touch become trees with one root
 * (union-find), and a tree with a strong peak is an edge.
 * D. Playne and K. Hawick, A New Algorithm for Parallel Connected-Component Labelling on GPUs, 2018. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/canny.h"
}

enum { NOTHING = 0xffffffff };

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

/* Each peak is a tree of its own. */
template <typename In>
__global__ void canny_peaks(const __grid_constant__ Plane in, int channels, const __grid_constant__ CannyJob job,
                            unsigned *parents, unsigned char *strong) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const unsigned at = (unsigned)y * in.width + x;
    const CannySlope slope = slope_at<In>(in, job, channels, x, y);
    bool peak = slope.magnitude > job.low;
    if (peak) {
        const CannyDirection direction = canny_direction(slope);
        const int i = canny_step_x(direction), j = canny_step_y(direction);
        peak = canny_peak(direction, slope.magnitude, magnitude_at<In>(in, job, channels, x + i, y + j),
                          magnitude_at<In>(in, job, channels, x - i, y - j));
    }
    parents[at] = peak ? at : NOTHING;
    strong[at] = peak && slope.magnitude > job.high;
}

static __device__ unsigned root_of(const volatile unsigned *parents, unsigned at) {
    unsigned parent = parents[at];
    while (parent != at) {
        at = parent;
        parent = parents[at];
    }
    return at;
}

/* The greater root gets the lesser one as its parent, unless somebody else was faster: then from there on. */
static __device__ void unite(unsigned *parents, unsigned a, unsigned b) {
    while (true) {
        a = root_of(parents, a);
        b = root_of(parents, b);
        if (a == b)
            return;
        if (a > b) {
            const unsigned other = a;
            a = b;
            b = other;
        }
        const unsigned before = atomicMin(&parents[b], a);
        if (before == b)
            return;
        b = before;
    }
}

__global__ void canny_unite(int width, int height, unsigned *parents) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const unsigned at = (unsigned)y * width + x;
    if (parents[at] == NOTHING)
        return;
    for (int k = 0; k < 4; k++) { /* to the left, and the three above */
        const int tx = x + (k == 0 ? -1 : k - 2), ty = y - (k > 0);
        if (tx < 0 || tx >= width || ty < 0)
            continue;
        const unsigned next = (unsigned)ty * width + tx;
        if (parents[next] != NOTHING)
            unite(parents, at, next);
    }
}

/* A strong peak makes its root one. */
__global__ void canny_mark(unsigned count, const unsigned *parents, unsigned char *strong) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count && strong[at])
        strong[root_of(parents, at)] = 1;
}

template <typename In>
__global__ void canny_write(const __grid_constant__ Plane in, const __grid_constant__ Plane out, int channels,
                            const __grid_constant__ CannyJob job, const unsigned *parents,
                            const unsigned char *strong) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const unsigned at = (unsigned)y * out.width + x;
    const bool edge = parents[at] != NOTHING && strong[root_of(parents, at)];
    for (int c = 0; c < channels; c++)
        row_to<In>(out, y)[x * channels + c] = job.alpha && c == channels - 1 ? row_of<In>(in, y)[x * channels + c]
                                               : edge                         ? (In)job.white
                                                                              : (In)0;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return stage->in[0].shape.width * stage->in[0].shape.height * (sizeof(unsigned) + 1);
}

template <typename In> static Status run_as(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    CannyJob job = *canny_job(stage);
    int channels = stage->in[0].shape.channels;
    unsigned count = (unsigned)in.width * (unsigned)in.height;
    unsigned *parents;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), (void **)&parents));
    unsigned char *strong = (unsigned char *)(parents + count);
    const Launch pixels = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), dim3(32, 8), 0};
    const Launch flat = {dim3((count + 255) / 256), dim3(256), 0};
    void *peaks[] = {&in, &channels, &job, &parents, &strong};
    void *uniting[] = {&in.width, &in.height, &parents};
    void *marking[] = {&count, &parents, &strong};
    void *writing[] = {&in, &out, &channels, &job, &parents, &strong};
    TRY(gpu_launch(queue, "canny labels, peaks", (const void *)canny_peaks<In>, pixels, peaks));
    TRY(gpu_launch(queue, "canny labels, trees", (const void *)canny_unite, pixels, uniting));
    TRY(gpu_launch(queue, "canny labels, strong roots", (const void *)canny_mark, flat, marking));
    return gpu_launch(queue, "canny labels, edges", (const void *)canny_write<In>, pixels, writing);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it counts pixels in 32 bits";
    return stage->in[0].shape.width * stage->in[0].shape.height < NOTHING;
}

static Status run(Queue *queue, const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U8    ? run_as<uint8_t>(queue, stage)
           : stage->in[0].shape.type == PIXEL_U16 ? run_as<uint16_t>(queue, stage)
                                                  : run_as<float>(queue, stage);
}

extern "C" const Level cuda_canny_labels = {
    .op = &op_canny,
    .name = "labels",
    .idea = "peaks that touch become trees with one root, in any order, so that no pass has to wait for another",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
