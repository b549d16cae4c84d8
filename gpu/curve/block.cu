/* block.cu: a block for each row of the curve.
 * A thread has a run of neighbouring bins. Sums up to the run come from a scan over the block. Every thread then knows
 * how many values lie below its bins. The facts of the row are the minimum, the maximum or the best of all threads. */
#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/curve.h"
#include "core/ops/reduce.h"
}

enum { THREADS = 1024, WARPS = THREADS / 32 };

typedef unsigned long long Sum;

typedef struct Sums {
    Sum count, sum;
} Sums;

/* Otsu's variance and the bin that it is of; the first of equal ones. */
typedef struct Best {
    double variance;
    int bin;
} Best;

typedef struct Shared {
    Sums sums[WARPS];
    Best best[WARPS];
    int first, darkest, brightest;
    CurveFacts facts[CURVE_ROWS];
} Shared;

static __device__ __forceinline__ Sum count_at(const Plane &in, bool merge, int row, int bin) {
    if (!merge)
        return row_of<uint32_t>(in, row)[bin];
    Sum count = 0;
    for (int y = 0; y < in.height; y++)
        count += row_of<uint32_t>(in, y)[bin];
    return count;
}

static __device__ CurveFacts facts_of_extrema(const Plane &in, const CurveJob &job, int row) {
    const int first = job.merge ? 0 : row, end = job.merge ? job.extrema : row + 1;
    double minimum = INFINITY, maximum = -INFINITY;
    for (int y = first; y < end; y++) {
        const Reduction *reduction = row_of<Reduction>(in, y);
        minimum = fmin(minimum, reduction->minimum);
        maximum = fmax(maximum, reduction->maximum);
    }
    return curve_facts_between(job.bins, minimum, maximum);
}

/* The sums of all threads before this one; *all are those of all threads. */
static __device__ Sums sums_before(Sums mine, Shared *shared, Sums *all) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Sums upto = mine;
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const Sum count = __shfl_up_sync(0xFFFFFFFF, upto.count, apart),
                  sum = __shfl_up_sync(0xFFFFFFFF, upto.sum, apart);
        upto.count += lane >= apart ? count : 0;
        upto.sum += lane >= apart ? sum : 0;
    }
    __syncthreads();
    if (lane == 31)
        shared->sums[warp] = upto;
    __syncthreads();
    Sums before = {upto.count - mine.count, upto.sum - mine.sum};
    *all = Sums{0, 0};
    for (int i = 0; i < WARPS; i++) {
        before.count += i < warp ? shared->sums[i].count : 0;
        before.sum += i < warp ? shared->sums[i].sum : 0;
        all->count += shared->sums[i].count;
        all->sum += shared->sums[i].sum;
    }
    return before;
}

static __device__ __forceinline__ bool better(Best a, Best b) {
    return a.variance > b.variance || (a.variance == b.variance && a.bin < b.bin);
}

static __device__ int best_bin(Best best, Shared *shared) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        const Best other = {__shfl_xor_sync(0xFFFFFFFF, best.variance, apart),
                            __shfl_xor_sync(0xFFFFFFFF, best.bin, apart)};
        best = better(other, best) ? other : best;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared->best[threadIdx.x / 32] = best;
    __syncthreads();
    for (int i = 0; i < WARPS; i++)
        best = better(shared->best[i], best) ? shared->best[i] : best;
    return best.variance > 0 ? best.bin : 0;
}

/* Fills in the facts of a row, and returns how many values lie below this thread's bins. */
static __device__ Sum find_facts(const Plane &in, const CurveJob &job, int row, int first, int end, Shared *shared) {
    CurveFacts *facts = &shared->facts[row];
    Sums mine = {0, 0}, all;
    int lowest = job.bins.count;
    for (int i = first; i < end; i++) {
        const Sum count = count_at(in, job.merge, row, i);
        mine.count += count;
        mine.sum += count * (Sum)i;
        lowest = count && i < lowest ? i : lowest;
    }
    const Sums before = sums_before(mine, shared, &all);
    if (threadIdx.x == 0) {
        shared->first = shared->darkest = job.bins.count - 1;
        shared->brightest = 0;
    }
    __syncthreads();
    if (lowest < job.bins.count)
        atomicMin(&shared->first, lowest);
    Sums upto = before;
    int darkest = job.bins.count - 1, brightest = 0;
    Best best = {0, job.bins.count};
    for (int i = first; i < end; i++) {
        const Sum count = count_at(in, job.merge, row, i);
        if (curve_exceeds(all.count - upto.count, job.parameters[1], all.count))
            brightest = i;
        upto.count += count;
        upto.sum += count * (Sum)i;
        if (i < darkest && curve_exceeds(upto.count, job.parameters[0], all.count))
            darkest = i;
        if (job.kind == CURVE_otsu) {
            const Best here = {curve_variance(upto.count, upto.sum, all.count, all.sum), i};
            best = better(here, best) ? here : best;
        }
    }
    atomicMin(&shared->darkest, darkest);
    atomicMax(&shared->brightest, brightest);
    const int threshold = job.kind == CURVE_otsu ? best_bin(best, shared) : 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        facts->total = all.count;
        facts->sum = all.sum;
        facts->first_count = count_at(in, job.merge, row, shared->first);
        facts->darkest = shared->darkest;
        facts->brightest = shared->brightest;
        facts->threshold = threshold;
    }
    __syncthreads();
    return before.count;
}

static __device__ __forceinline__ void store_result(uint8_t *to, double value) {
    *to = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
}
static __device__ __forceinline__ void store_result(uint16_t *to, double value) {
    *to = (uint16_t)__double2int_rn(fmin(fmax(value, 0.0), 65535.0));
}
static __device__ __forceinline__ void store_result(float *to, double value) {
    *to = (float)value;
}

/* By extrema there is nothing to add up: each thread finds the facts by itself. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    curve_between(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                  const __grid_constant__ CurveJob job) {
    const int row = blockIdx.x, i = blockIdx.y * THREADS + threadIdx.x;
    const CurveFacts facts = facts_of_extrema(in, job, row);
    if (i < out.width)
        store_result(row_to<T>(out, row) + i, curve_value(&job, &facts, 1, 0, i, 0));
}

/* Kinds that hold one row against the others find the facts of all. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    curve_block(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                const __grid_constant__ CurveJob job) {
    __shared__ Shared shared;
    const int run = (job.bins.count + THREADS - 1) / THREADS, mine = blockIdx.x;
    const int first = min((int)threadIdx.x * run, job.bins.count), end = min(first + run, job.bins.count);
    const bool all = job.kind == CURVE_gray || job.kind == CURVE_patch;
    Sum count = 0;
    for (int row = 0; row < out.height; row++)
        if (all || row == mine) {
            const Sum before = find_facts(in, job, row, first, end, &shared);
            count = row == mine ? before : count;
        }
    for (int i = first; i < end; i++) {
        count += count_at(in, job.merge, mine, i);
        store_result(row_to<T>(out, mine) + i, curve_value(&job, shared.facts, out.height, mine, i, count));
    }
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[2][PIXEL_TYPES] = {
        {(const void *)curve_block<uint8_t>, (const void *)curve_block<uint16_t>, (const void *)curve_block<float>},
        {(const void *)curve_between<uint8_t>, (const void *)curve_between<uint16_t>,
         (const void *)curve_between<float>}};
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    CurveJob job = *curve_job(stage);
    const bool between = job.extrema > 0;
    const Launch launch = {dim3((unsigned)out.height, between ? blocks_for(out.width, THREADS) : 1), dim3(THREADS), 0};
    void *arguments[] = {&in, &out, &job};
    return gpu_launch(queue, "curve block", kernels[between][stage->out.shape.type], launch, arguments);
}

extern "C" const Level cuda_curve_block = {
    .op = &op_curve,
    .name = "block",
    .idea = "a block for each row: a scan tells every thread how many values lie below its bins",
    .run = run,
};
