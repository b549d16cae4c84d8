/* shuffle.cu: the best reduction, of products: 16-byte loads, shuffles, and the last block adds up all blocks' sums. */
#include "gpu/course/reduce/single.cuh"

extern "C" {
#include "core/ops/dot.h"
}

template <int MODE, typename T, int C>
__global__ void __launch_bounds__(SINGLE_THREADS)
    dot_shuffle(const __grid_constant__ Plane a, const __grid_constant__ Plane b, const __grid_constant__ Items items,
                Totals<T, C> *parts, unsigned *ticket, const __grid_constant__ Plane out, unsigned) {
    Totals<T, C> totals;
    if (!add_all<MODE>(a, b, items, parts, ticket, &totals))
        return;
#pragma unroll
    for (int c = 0; c < C; c++)
        store_total(out, c, 0, (double)totals.sum[c]);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = {SINGLE_ROW(dot_shuffle, SINGLE_PRODUCT, uint8_t),
                                                        SINGLE_ROW(dot_shuffle, SINGLE_PRODUCT, uint16_t),
                                                        SINGLE_ROW(dot_shuffle, SINGLE_PRODUCT, float)};
    const Shape in = stage->in[0].shape;
    return single_run(queue, "dot shuffle", kernels[in.type][in.channels - 1], stage, 0);
}

extern "C" const Level cuda_dot_shuffle = {
    .op = &op_dot,
    .name = "shuffle",
    .idea = "16-byte loads, sums in registers and by shuffles, one launch: the same bits every time",
    .workspace = single_workspace,
    .run = run,
};
