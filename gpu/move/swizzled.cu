/* swizzled.cu: quarter turns through shared memory without padding. Pixel j of row i lies at j ^ i, so that rows and
 * columns both have all banks, and no memory is left empty. */
#include "gpu/move/tile.cuh"

struct Swizzled {
    enum { PIXELS = TILE * TILE };
    static __device__ __forceinline__ int at(int i, int j) { return i * TILE + (j ^ i); }
};

template <typename P> __global__ void move_swizzled(Plane in, Plane out, Moving moving) {
    __shared__ P tile[Swizzled::PIXELS];
    turn_tile<P, Swizzled>(in, out, moving, tile);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_swizzled);
    return run_tiles(queue, stage, "move swizzled", kernels);
}

extern "C" const Level cuda_move_swizzled = {
    .op = &op_move,
    .name = "swizzled",
    .idea = "quarter turns through tiles whose rows are permuted by an exclusive or: no bank conflicts, and nothing is "
            "padded",
    .accepts = accepts_turns,
    .run = run,
};
