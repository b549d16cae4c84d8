/* separable.cu: an outer product of a column and a row in two passes: along the rows into global memory, then down the
 * columns. This takes w + h taps instead of w x h, and one more trip through memory. */
#include "gpu/convolve/sum.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
}

/* The sums along the rows. Rows beyond the picture are not computed: they repeat others, or are the border's value. */
template <typename In, int C>
__global__ void along_rows(Plane in, Plane between, const typename Accumulator<In>::Type *__restrict__ row_weights,
                           Sum job) {
    typedef typename Accumulator<In>::Type Acc;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    const In *row = row_of<In>(in, y);
    Acc sums[C] = {};
    for (int i = 0; i < job.width; i++) {
        const int sx = inside_index(job.border, x + i - job.width / 2, in.width);
        for (int c = 0; c < C; c++)
            sums[c] += row_weights[i] * (sx < 0 ? (Acc)job.outside : (Acc)row[sx * C + c]);
    }
    for (int c = 0; c < C; c++)
        row_to<Acc>(between, y)[x * C + c] = sums[c];
}

template <typename Acc, typename Out>
__global__ void down_columns(Plane between, Plane out, const Acc *__restrict__ column_weights, Sum job,
                             double row_outside) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= between.width || y >= out.height) /* x counts values here */
        return;
    Acc sum = 0;
    for (int j = 0; j < job.height; j++) {
        const int sy = inside_index(job.border, y + j - job.height / 2, out.height);
        sum += column_weights[j] * (sy < 0 ? (Acc)row_outside : row_of<Acc>(between, sy)[x]);
    }
    row_to<Out>(out, y)[x] = Stored<Out>::from(finish(job, sum));
}

/* The stride of the rows between the passes, in bytes. */
static size_t between_stride(const Stage *stage, size_t sum_bytes) {
    const Shape shape = stage->in[0].shape;
    return (shape.width * (size_t)shape.channels * sum_bytes + 127) / 128 * 128;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    (void)device;
    return between_stride(stage, shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float)) * shape.height;
}

template <typename In, typename Out, int C> struct Separable {
    typedef typename Accumulator<In>::Type Acc;

    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        const GpuTerms *terms;
        const void *row, *column;
        TRY(gpu_terms(queue, convolve_job(stage)->mask, sizeof(Acc) == sizeof(double), &terms, &row, &column));
        double row_outside = terms->row_sum * (double)job.outside; /* the sum of a row beyond the picture */
        const size_t stride = between_stride(stage, sizeof(Acc));
        void *memory;
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, stride * (size_t)in.height, &memory));
        Plane between = {(unsigned char *)memory, stride, in.width * C, in.height};
        const dim3 block(32, 8);
        const Launch first = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), block, 0};
        void *first_arguments[] = {&in, &between, &row, &job};
        TRY(gpu_launch(queue, "convolve separable, rows", (const void *)along_rows<In, C>, first, first_arguments));
        const Launch second = {dim3(blocks_for(in.width * C, 32), blocks_for(in.height, 8)), block, 0};
        void *second_arguments[] = {&between, &out, &column, &job, &row_outside};
        return gpu_launch(queue, "convolve separable, columns", (const void *)down_columns<Acc, Out>, second,
                          second_arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Separable>(queue, stage);
}

extern "C" const Level cuda_convolve_separable = {
    .op = &op_convolve,
    .name = "separable",
    .idea = "an outer product needs w + h taps instead of w x h: a pass along the rows, one down the columns, global "
            "memory between",
    .accepts = accepts_separable,
    .workspace = workspace,
    .predictor = &convolve_measured,
    .run = run,
};
