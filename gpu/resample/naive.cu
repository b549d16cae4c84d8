/* naive.cu: one thread a result pixel, which weighs its whole window. */
#include "gpu/resample/axis.cuh"

template <typename In, typename Acc, int C>
__global__ void resample_naive(Plane in, Plane out, Axis<Acc> across, Axis<Acc> down, float bias) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const Acc *rows = down.weights + (size_t)y * down.span, *columns = across.weights + (size_t)x * across.span;
    Acc sums[C] = {};
    for (int j = 0; j < down.span; j++) {
        const In *row = row_of<In>(in, down.base[y] + j) + across.base[x] * C;
        Acc row_sums[C] = {};
        for (int i = 0; i < across.span; i++)
            for (int c = 0; c < C; c++)
                row_sums[c] += columns[i] * (Acc)row[i * C + c];
        for (int c = 0; c < C; c++)
            sums[c] += rows[j] * row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<In>(out, y)[x * C + c] = stored<In>(sums[c] + (Acc)bias);
}

template <typename In, typename Acc, int C> struct ResampleNaive {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        GpuResampleTables tables;
        TRY(gpu_resample_tables(queue, stage, 1, &tables));
        Axis<Acc> across = axis_of<Acc>(tables.x), down = axis_of<Acc>(tables.y);
        float bias = bias_of<In>();
        const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
        void *arguments[] = {&in, &out, &across, &down, &bias};
        return gpu_launch(queue, "resample naive", (const void *)resample_naive<In, Acc, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return by_types<ResampleNaive>(queue, stage);
}

extern "C" const Level cuda_resample_naive = {
    .op = &op_resample,
    .name = "naive",
    .idea = "one thread a pixel, which weighs its whole window; picture and weights in global memory",
    .run = run,
};
