/* tile.cu: quarter turns through shared memory: reads and writes both go along rows. The columns of the tile, by which
 * it is taken out, lie in one bank, of pixels of four bytes. 32 threads then wait for each other. */
#include "gpu/move/tile.cuh"

struct Plain {
    enum { PIXELS = TILE * TILE };
    static __device__ __forceinline__ int at(int i, int j) { return i * TILE + j; }
};

template <typename P> __global__ void move_tile(Plane in, Plane out, Moving moving) {
    __shared__ P tile[Plain::PIXELS];
    turn_tile<P, Plain>(in, out, moving, tile);
}

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[PIXEL_TYPES][4] = BY_PIXEL(move_tile);
    return run_tiles(queue, stage, "move tile", kernels);
}

extern "C" const Level cuda_move_tile = {
    .op = &op_move,
    .name = "tile",
    .idea = "quarter turns through shared memory: reads and writes both go along rows, but columns of the tile share a "
            "bank",
    .accepts = accepts_turns,
    .run = run,
};
