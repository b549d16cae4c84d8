/* simd.c: a step of diffusion by vectors. */
#include "core/backend.h"
#include "cpu/diffuse/rows.h"
#include "cpu/isa.h"

enum { BAND = 32 };

static Status run(Queue *queue, const Stage *stage) {
    static DiffuseRows *const *const rows[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &diffuse_rows_portable,
        [ISA_LEVEL_AVX2] = &diffuse_rows_avx2,
        [ISA_LEVEL_AVX512] = &diffuse_rows_avx512,
    };
    DiffuseRows *const some = *rows[isa_detect()];
    const long height = (long)stage->out.shape.height;
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < height; y += BAND)
        some(stage, (size_t)y, (size_t)(height - y < BAND ? height : y + BAND));
    return STATUS_OK;
}

const Level cpu_diffuse_simd = {
    .op = &op_diffuse,
    .name = "simd",
    .idea =
        "three rows converted once in a ring, what flows from all sides by vectors, the exponential by a polynomial",
    .run = run,
};
