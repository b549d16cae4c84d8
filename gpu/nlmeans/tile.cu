/* tile.cu: offset by offset over a tile in shared memory, as the CPU's simd does. Squared differences are made once,
 * and summed up down the columns and along the rows. A patch thus costs its side and not its area. A thread has four
 * pixels, one below the other, whose sums stay in registers. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/nlmeans.h"
}

enum { WIDE = 32, TALL = 32, DOWN = 8, EACH = TALL / DOWN };

typedef struct Search {
    int patch, search;
    float slope, outside;
    double slope_wide;
    BorderMode border;
} Search;

static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}
static __device__ __forceinline__ float weight_of(float sum, const Search &search) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(sum * search.slope));
    return y;
}
static __device__ __forceinline__ double weight_of(double sum, const Search &search) {
    return exp2(sum * search.slope_wide);
}

/* The tile's planes, squared differences, and their sums down the columns. Acc: double for u16. */
template <typename In, typename Out, int C>
__global__ void __launch_bounds__(WIDE *DOWN)
    nlmeans_tile(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                 const __grid_constant__ Search search) {
    typedef typename Accumulator<In>::Type Acc;
    extern __shared__ double shared[];
    const int reach = search.search + search.patch, pitch = WIDE + 2 * reach, plane = pitch * (TALL + 2 * reach);
    const int side = 2 * search.patch + 1, wide = WIDE + side - 1, tall = TALL + side - 1;
    In *tile = (In *)shared;
    Acc *squares = (Acc *)shared + ((size_t)plane * C * sizeof(In) + sizeof(Acc) - 1) / sizeof(Acc);
    Acc *columns = squares + wide * tall;
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL;
    for (int i = threadIdx.x; i < plane; i += WIDE * DOWN) {
        const int sx = index_of(search.border, left - reach + i % pitch, in.width);
        const int sy = index_of(search.border, top - reach + i / pitch, in.height);
        for (int c = 0; c < C; c++)
            tile[c * plane + i] = sx < 0 || sy < 0 ? (In)search.outside : row_of<In>(in, sy)[sx * C + c];
    }
    __syncthreads();
    const int x = threadIdx.x % WIDE, y = threadIdx.x / WIDE * EACH, centre = reach * (pitch + 1);
    Acc weights[EACH] = {}, sums[EACH][C] = {};
    for (int j = -search.search; j <= search.search; j++) {
        Acc part[EACH][C] = {}, part_weights[EACH] = {}; /* long sums of like values would round the same way */
        for (int i = -search.search; i <= search.search; i++) {
            const int offset = j * pitch + i;
            for (int k = threadIdx.x; k < wide * tall; k += WIDE * DOWN) {
                const int at = centre - search.patch * (pitch + 1) + k / wide * pitch + k % wide;
                Acc sum = 0;
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const Acc d = (Acc)tile[c * plane + at] - (Acc)tile[c * plane + at + offset];
                    sum += d * d;
                }
                squares[k] = sum;
            }
            __syncthreads();
            for (int k = threadIdx.x; k < wide * TALL; k += WIDE * DOWN) {
                Acc sum = 0;
                for (int r = 0; r < side; r++)
                    sum += squares[k + r * wide];
                columns[k] = sum;
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                Acc sum = 0;
                for (int r = 0; r < side; r++)
                    sum += columns[(y + k) * wide + x + r];
                const Acc weight = weight_of(sum, search);
                part_weights[k] += weight;
#pragma unroll
                for (int c = 0; c < C; c++)
                    part[k][c] += weight * (Acc)tile[c * plane + centre + offset + (y + k) * pitch + x];
            }
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            weights[k] += part_weights[k];
#pragma unroll
            for (int c = 0; c < C; c++)
                sums[k][c] += part[k][c];
        }
    }
    if (left + x < out.width)
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (top + y + k < out.height)
#pragma unroll
                for (int c = 0; c < C; c++)
                    row_to<Out>(out, top + y + k)[(left + x) * C + c] = Stored<Out>::from(sums[k][c] / weights[k]);
}

static size_t shared_bytes(const Stage *stage) {
    const NlmeansJob *job = nlmeans_job(stage);
    const Shape in = stage->in[0].shape;
    const size_t side = WIDE + 2 * (size_t)(job->search + job->patch), around = 2 * (size_t)job->patch;
    const size_t real = in.type == PIXEL_U16 ? sizeof(double) : sizeof(float);
    const size_t tile = side * side * (size_t)in.channels * pixel_type_size(in.type);
    return (tile + real - 1) / real * real + (WIDE + around) * (2 * TALL + around) * real;
}

template <typename In, typename Out, int C> struct NlmeansTile {
    static Status run(Queue *queue, const Stage *stage) {
        const NlmeansJob *job = nlmeans_job(stage);
        const double slope = nlmeans_slope(job, C);
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Search search = {job->patch, job->search, (float)slope, job->border.value, slope, job->border.mode};
        const Launch launch = {dim3(blocks_for(out.width, WIDE), blocks_for(out.height, TALL)), dim3(WIDE * DOWN),
                               shared_bytes(stage)};
        void *arguments[] = {&in, &out, &search};
        return gpu_launch(queue, "nlmeans tile", (const void *)nlmeans_tile<In, Out, C>, launch, arguments);
    }
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const float outside = nlmeans_job(stage)->border.value;
    *why_not = "the tile and its surroundings do not fit into this GPU's shared memory";
    if (shared_bytes(stage) > ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin)
        return false;
    *why_not = "its tile has pixels as they are stored, and the border's value is none";
    return stage->in[0].shape.type == PIXEL_F32 ||
           (outside == rintf(outside) && outside >= 0 && outside <= (float)pixel_type_white(stage->in[0].shape.type));
}

static Status run(Queue *queue, const Stage *stage) {
    return for_types<NlmeansTile>(queue, stage);
}

extern "C" const Level cuda_nlmeans_tile = {
    .op = &op_nlmeans,
    .name = "tile",
    .idea = "offset by offset over a tile in shared memory: squared differences once, summed up down columns and along "
            "rows",
    .accepts = accepts,
    .run = run,
};
