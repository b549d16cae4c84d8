/* simd.c: both masks by vectors, tile by tile. */
#include "core/device/backend.h"
#include "cpu/derivative/tile.h"
#include "cpu/isa.h"
#include "cpu/team.h"

/* Single precision has room for the sums of u8, also times alpha. Scaled sums round as the reference's only if the
 * scale is a power of two. The direction of f32 hangs on the last bits of its sums. */
static bool is_wide(const Stage *stage) {
    const DerivativeJob *job = derivative_job(stage);
    const PixelType in = stage->in[0].shape.type;
    int exponent;
    const bool power = frexp(job->scale, &exponent) <= 0.5;
    return in == PIXEL_U16 || (in == PIXEL_F32 && job->output == DERIVATIVE_DIRECTION) ||
           (stage->out.shape.type != PIXEL_F32 && !power);
}

typedef struct Shared {
    const Stage *stage;
    DerivativeTile *run;
    bool wide;
    size_t columns;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    const Shape shape = shared->stage->out.shape;
    (void)scratch;
    shared->run(shared->stage, shared->wide, x, shape.width - x < shared->columns ? shape.width - x : shared->columns,
                y, shape.height - y < DERIVATIVE_ROWS ? shape.height - y : DERIVATIVE_ROWS);
}

static Status run(Queue *queue, const Stage *stage) {
    static DerivativeTile *const *const tiles[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &derivative_tile_portable,
        [ISA_LEVEL_AVX2] = &derivative_tile_avx2,
        [ISA_LEVEL_AVX512] = &derivative_tile_avx512,
    };
    const Shape shape = stage->out.shape;
    const size_t columns = DERIVATIVE_VALUES / (size_t)shape.channels / 16 * 16;
    const Shared shared = {stage, *tiles[isa_detect()], is_wide(stage), columns};
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, columns, DERIVATIVE_ROWS, NULL, 0}, run_tile,
                    &shared);
    return STATUS_OK;
}

const Level cpu_derivative_simd = {
    .op = &op_derivative,
    .name = "simd",
    .idea = "three rows converted once in a ring, both masks, root and rounding in one go over them by vectors",
    .run = run,
};
