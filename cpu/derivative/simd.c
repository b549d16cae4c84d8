/* simd.c: both masks by vectors, tile by tile. */
#include "core/backend.h"
#include "cpu/derivative/tile.h"
#include "cpu/isa.h"

/* Single precision has room for the sums of u8, also times alpha. What is then scaled rounds as the reference's only
 * by a power of two, and the direction of f32 hangs on the last bits of its sums. */
static bool is_wide(const Stage *stage) {
    const DerivativeJob *job = derivative_job(stage);
    const PixelType in = stage->in[0].shape.type;
    int exponent;
    const bool power = frexp(job->scale, &exponent) <= 0.5;
    return in == PIXEL_U16 || (in == PIXEL_F32 && job->output == DERIVATIVE_DIRECTION) ||
           (stage->out.shape.type != PIXEL_F32 && !power);
}

static Status run(Queue *queue, const Stage *stage) {
    static DerivativeTile *const *const tiles[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &derivative_tile_portable,
        [ISA_LEVEL_AVX2] = &derivative_tile_avx2,
        [ISA_LEVEL_AVX512] = &derivative_tile_avx512,
    };
    DerivativeTile *const tile = *tiles[isa_detect()];
    const Shape shape = stage->out.shape;
    const bool wide = is_wide(stage);
    const size_t columns = DERIVATIVE_VALUES / (size_t)shape.channels / 16 * 16;
    const size_t across = (shape.width + columns - 1) / columns;
    const size_t down = (shape.height + DERIVATIVE_ROWS - 1) / DERIVATIVE_ROWS;
    const long count = (long)(across * down);
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long i = 0; i < count; i++) {
        const size_t x = (size_t)i % across * columns, y = (size_t)i / across * DERIVATIVE_ROWS;
        tile(stage, wide, x, shape.width - x < columns ? shape.width - x : columns, y,
             shape.height - y < DERIVATIVE_ROWS ? shape.height - y : DERIVATIVE_ROWS);
    }
    return STATUS_OK;
}

const Level cpu_derivative_simd = {
    .op = &op_derivative,
    .name = "simd",
    .idea = "three rows converted once in a ring, both masks, root and rounding in one go over them by vectors",
    .run = run,
};
