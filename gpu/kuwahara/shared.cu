/* shared.cu: the luma of a tile as whole numbers in shared memory, from which each thread sums up the four quadrants of
 * its pixel. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/kuwahara.h"
}

enum { ACROSS = 32, DOWN = 8 };

template <typename In>
static __device__ __forceinline__ double value_at(const Plane &in, const KuwaharaJob &job, int channels, int sx, int sy,
                                                  int c) {
    return sx < 0 || sy < 0 ? (double)job.border.value : (double)row_of<In>(in, sy)[sx * channels + c];
}
static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}

template <typename In, typename Out, int C>
__global__ void __launch_bounds__(ACROSS *DOWN)
    kuwahara_shared(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ KuwaharaJob job) {
    extern __shared__ int luma[];
    const int radius = job.radius, pitch = ACROSS + 2 * radius, rows = DOWN + 2 * radius;
    const int left = blockIdx.x * ACROSS - radius, top = blockIdx.y * DOWN - radius;
    for (int i = threadIdx.x; i < pitch * rows; i += ACROSS * DOWN) {
        const int sx = index_of(job.border.mode, left + i % pitch, in.width);
        const int sy = index_of(job.border.mode, top + i / pitch, in.height);
        const double r = value_at<In>(in, job, C, sx, sy, 0);
        luma[i] = kuwahara_luma(&job, r, C >= 3 ? value_at<In>(in, job, C, sx, sy, C >= 3 ? 1 : 0) : r,
                                C >= 3 ? value_at<In>(in, job, C, sx, sy, C >= 3 ? 2 : 0) : r);
    }
    __syncthreads();
    const int tx = threadIdx.x % ACROSS, ty = threadIdx.x / ACROSS, x = left + radius + tx, y = top + radius + ty;
    if (x >= out.width || y >= out.height)
        return;
    const int side = radius + 1;
    uint64_t best = 0;
    int best_x = 0, best_y = 0;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        const int i0 = quadrant % 2 ? radius : 0, j0 = quadrant / 2 ? radius : 0;
        int64_t sum = 0;
        uint64_t squares = 0;
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++) {
                const int64_t value = luma[(ty + j0 + j) * pitch + tx + i0 + i];
                sum += value;
                squares += (uint64_t)(value * value);
            }
        const uint64_t variance = kuwahara_variance((uint64_t)(side * side), sum, squares);
        if (quadrant == 0 || variance < best) {
            best = variance;
            best_x = i0;
            best_y = j0;
        }
    }
    double sums[C] = {};
    for (int j = 0; j < side; j++) {
        const int sy = index_of(job.border.mode, y + best_y - radius + j, in.height);
        for (int i = 0; i < side; i++) {
            const int sx = index_of(job.border.mode, x + best_x - radius + i, in.width);
            for (int c = 0; c < C; c++)
                sums[c] += value_at<In>(in, job, C, sx, sy, c);
        }
    }
    for (int c = 0; c < C; c++) {
        const double mean = sums[c] / (side * side);
        if constexpr (sizeof(Out) == 1)
            row_to<Out>(out, y)[x * C + c] = (Out)__double2int_rn(fmin(fmax(mean, 0.0), 255.0));
        else
            row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(mean);
    }
}

template <typename In, typename Out, int C> struct KuwaharaShared {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        KuwaharaJob job = *kuwahara_job(stage);
        const size_t luma = (size_t)(ACROSS + 2 * job.radius) * (size_t)(DOWN + 2 * job.radius);
        const Launch launch = {dim3(blocks_for(out.width, ACROSS), blocks_for(out.height, DOWN)), dim3(ACROSS * DOWN),
                               luma * sizeof(int)};
        void *arguments[] = {&in, &out, &job};
        return gpu_launch(queue, "kuwahara shared", (const void *)kuwahara_shared<In, Out, C>, launch, arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    return for_types<KuwaharaShared>(queue, stage);
}

extern "C" const Level cuda_kuwahara_shared = {
    .op = &op_kuwahara,
    .name = "shared",
    .idea = "the luma of a tile in shared memory, four sums and four sums of squares a thread",
    .run = run,
};
