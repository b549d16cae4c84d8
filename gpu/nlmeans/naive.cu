/* naive.cu: one thread a pixel compares patches in global memory, in double precision. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/nlmeans.h"
}

static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}
template <typename In, int C>
static __device__ __forceinline__ double value_at(const Plane &in, const NlmeansJob &job, int x, int y, int c) {
    const int sx = index_of(job.border.mode, x, in.width), sy = index_of(job.border.mode, y, in.height);
    return sx < 0 || sy < 0 ? (double)job.border.value : (double)row_of<In>(in, sy)[sx * C + c];
}

template <typename In, typename Out, int C>
__global__ void nlmeans_naive(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                              const __grid_constant__ NlmeansJob job, double slope) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    double weights = 0, sums[C] = {};
    for (int j = -job.search; j <= job.search; j++)
        for (int i = -job.search; i <= job.search; i++) {
            double distance = 0;
            for (int py = -job.patch; py <= job.patch; py++)
                for (int px = -job.patch; px <= job.patch; px++)
                    for (int c = 0; c < C; c++) {
                        const double d = value_at<In, C>(in, job, x + px + i, y + py + j, c) -
                                         value_at<In, C>(in, job, x + px, y + py, c);
                        distance += d * d;
                    }
            const double weight = exp2(distance * slope);
            weights += weight;
            for (int c = 0; c < C; c++)
                sums[c] += weight * value_at<In, C>(in, job, x + i, y + j, c);
        }
    for (int c = 0; c < C; c++) {
        const double value = sums[c] / weights;
        if constexpr (sizeof(Out) == 1)
            row_to<Out>(out, y)[x * C + c] = (Out)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
        else
            row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(value);
    }
}

template <typename In, typename Out, int C> struct NlmeansNaive {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        NlmeansJob job = *nlmeans_job(stage);
        double slope = nlmeans_slope(&job, C);
        const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
        void *arguments[] = {&in, &out, &job, &slope};
        return gpu_launch(queue, "nlmeans naive", (const void *)nlmeans_naive<In, Out, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<NlmeansNaive>(queue, stage);
}

extern "C" const Level cuda_nlmeans_naive = {
    .op = &op_nlmeans,
    .name = "naive",
    .idea = "one thread a pixel compares its patch with that of each neighbour, value by value",
    .run = run,
};
