/* constant.cu: naive with the mask in constant memory. All threads of a warp want the same weight at the same time. The
 * constant cache is made for that: one read serves them all. */
#include "gpu/convolve/constant.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
}

template <typename In, typename Out, int C> __global__ void convolve_constant(Plane in, Plane out, Sum job) {
    typedef typename Accumulator<In>::Type Acc;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    Acc sums[C] = {};
    for (int j = 0; j < job.height; j++) {
        const int sy = inside_index(job.border, y + j - job.height / 2, in.height);
        const In *row = row_of<In>(in, sy < 0 ? 0 : sy);
        Acc row_sums[C] = {};
        for (int i = 0; i < job.width; i++) {
            const int sx = inside_index(job.border, x + i - job.width / 2, in.width);
            const Acc weight = constant_weights[j * job.width + i];
            for (int c = 0; c < C; c++)
                row_sums[c] += weight * (sy < 0 || sx < 0 ? (Acc)job.outside : (Acc)row[sx * C + c]);
        }
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(finish(job, sums[c]));
}

template <typename In, typename Out, int C> struct Constant {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        TRY(set_constant_weights(queue, convolve_job(stage)->mask));
        const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
        void *arguments[] = {&in, &out, &job};
        return gpu_launch(queue, "convolve constant", (const void *)convolve_constant<In, Out, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Constant>(queue, stage);
}

extern "C" const Level cuda_convolve_constant = {
    .op = &op_convolve,
    .name = "constant",
    .idea = "the mask in constant memory: a warp reads each weight once, from a cache of its own",
    .accepts = accepts_constant,
    .predictor = &convolve_measured,
    .run = run,
};
