/* separable.cu: along the rows into global memory, then down the columns. */
#include "gpu/resample/axis.cuh"

template <typename In, typename Acc, int C> __global__ void resample_rows(Plane in, Plane between, Axis<Acc> across) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= between.width || y >= in.height)
        return;
    const Acc *weights = across.weights + (size_t)x * across.span;
    const In *row = row_of<In>(in, y) + across.base[x] * C;
    Acc sums[C] = {};
    for (int i = 0; i < across.span; i++)
        for (int c = 0; c < C; c++)
            sums[c] += weights[i] * (Acc)row[i * C + c];
    for (int c = 0; c < C; c++)
        row_to<Acc>(between, y)[x * C + c] = sums[c];
}

/* x counts values. */
template <typename Acc, typename Out>
__global__ void resample_columns(Plane between, Plane out, int values, Axis<Acc> down, float bias) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= values || y >= out.height)
        return;
    const Acc *weights = down.weights + (size_t)y * down.span;
    Acc sum = 0;
    for (int j = 0; j < down.span; j++)
        sum += weights[j] * row_of<Acc>(between, down.base[y] + j)[x];
    row_to<Out>(out, y)[x] = stored<Out>(sum + (Acc)bias);
}

static size_t between_stride(const Stage *stage) {
    const size_t real = gpu_resample_wide(stage) ? sizeof(double) : sizeof(float);
    return (stage->out.shape.width * (size_t)stage->out.shape.channels * real + 127) / 128 * 128;
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return between_stride(stage) * stage->in[0].shape.height;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the nearest pixel is copied in one pass";
    return resample_job(stage)->kernel != RESAMPLE_NEAREST;
}

template <typename In, typename Acc, int C> struct ResampleSeparable {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        GpuResampleTables tables;
        void *memory;
        TRY(gpu_resample_tables(queue, stage, 1, &tables));
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
        Axis<Acc> across = axis_of<Acc>(tables.x), down = axis_of<Acc>(tables.y);
        Plane between = {(unsigned char *)memory, between_stride(stage), out.width, in.height};
        float bias = bias_of<In>();
        int values = out.width * C;
        const dim3 block(32, 8);
        const Launch first = {dim3(blocks_for(out.width, 32), blocks_for(in.height, 8)), block, 0};
        void *first_arguments[] = {&in, &between, &across};
        TRY(gpu_launch(queue, "resample separable, rows", (const void *)resample_rows<In, Acc, C>, first,
                       first_arguments));
        const Launch second = {dim3(blocks_for(values, 32), blocks_for(out.height, 8)), block, 0};
        void *second_arguments[] = {&between, &out, &values, &down, &bias};
        return gpu_launch(queue, "resample separable, columns", (const void *)resample_columns<Acc, In>, second,
                          second_arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return by_types<ResampleSeparable>(queue, stage);
}

extern "C" const Level cuda_resample_separable = {
    .op = &op_resample,
    .name = "separable",
    .idea =
        "a window of w x h takes w + h products in two passes: along the rows, then down the columns, global memory "
        "between",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
