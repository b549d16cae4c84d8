/* tiles.cu: quarter turns through shared memory, whose rows are one pixel longer than need be: the columns of a tile
 * then lie in different banks. */
#include "gpu/move/tile.cuh"

struct Padded {
    enum { PIXELS = TILE * (TILE + 1) };
    static __device__ __forceinline__ int at(int i, int j) { return i * (TILE + 1) + j; }
};

template <typename P> __global__ void move_tiles(Plane in, Plane out, Moving moving) {
    __shared__ P tile[Padded::PIXELS];
    turn_tile<P, Padded>(in, out, moving, tile);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_tiles);
    return run_tiles(queue, stage, "move tiles", kernels);
}

extern "C" const Level cuda_move_tiles = {
    .op = &op_move,
    .name = "tiles",
    .idea = "quarter turns through padded tiles in shared memory, so that reads and writes both go along rows",
    .accepts = accepts_turns,
    .run = run,
};
