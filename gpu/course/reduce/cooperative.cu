/* cooperative.cu: one launch: all blocks add, and the last one that is done adds up their sums. */
#include "gpu/course/reduce/single.cuh"

template <int MODE, typename T, int C>
__global__ void __launch_bounds__(SINGLE_THREADS)
    reduce_single(const __grid_constant__ Plane a, const __grid_constant__ Plane b, const __grid_constant__ Items items,
                  Totals<T, C> *parts, unsigned *ticket, const __grid_constant__ Plane out, unsigned what) {
    Totals<T, C> t;
    if (!add_all<MODE>(a, b, items, parts, ticket, &t))
        return;
#pragma unroll
    for (int c = 0; c < C; c++)
        store_row(out, c, what & REDUCE_COUNT ? (double)(items.pixels - t.nan[c]) : 0,
                  what & REDUCE_SUM ? (double)t.sum[c] : 0, what & REDUCE_SQUARES ? (double)t.squares[c] : 0,
                  what & REDUCE_EXTREMA ? (double)t.minimum[c] : 0, what & REDUCE_EXTREMA ? (double)t.maximum[c] : 0);
}

static enum SingleMode mode_of(const ReduceJob *job) {
    return job->difference               ? SINGLE_DIFFERENCE
           : job->what == REDUCE_SUM     ? SINGLE_SUM
           : job->what == REDUCE_EXTREMA ? SINGLE_EXTREMA
                                         : SINGLE_ALL;
}

#define MODE(mode)                                                                                                     \
    {                                                                                                                  \
        SINGLE_ROW(reduce_single, mode, uint8_t), SINGLE_ROW(reduce_single, mode, uint16_t),                           \
            SINGLE_ROW(reduce_single, mode, float), SINGLE_ROW(reduce_single, mode, uint32_t)                          \
    }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[][PIXEL_TYPES + 1][4] = {MODE(SINGLE_SUM), MODE(SINGLE_EXTREMA), MODE(SINGLE_ALL),
                                                              MODE(SINGLE_DIFFERENCE)};
    const Shape in = stage->in[0].shape;
    const ReduceJob *job = reduce_job(stage);
    return single_run(queue, "reduce cooperative", kernels[mode_of(job)][in.type][in.channels - 1], stage, job->what);
}

extern "C" const Level cuda_reduce_cooperative = {
    .op = &op_reduce,
    .name = "cooperative",
    .idea = "one launch, in 16-byte loads with several on their way: the last block to finish adds up the sums of all",
    .workspace = single_workspace,
    .run = run,
};
