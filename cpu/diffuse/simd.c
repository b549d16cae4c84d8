/* simd.c: a step of diffusion by vectors. */
#include "core/device/backend.h"
#include "cpu/diffuse/rows.h"
#include "cpu/isa.h"
#include "cpu/team.h"

enum { BAND = 32 };

typedef struct Shared {
    const Stage *stage;
    DiffuseRows *some;
} Shared;

static void share_band(const void *work, size_t band, size_t thread) {
    const Shared *shared = work;
    const size_t y = band * BAND, height = shared->stage->out.shape.height;
    (void)thread;
    shared->some(shared->stage, y, height - y < BAND ? height : y + BAND);
}

static Status run(Queue *queue, const Stage *stage) {
    static DiffuseRows *const *const rows[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &diffuse_rows_portable,
        [ISA_LEVEL_AVX2] = &diffuse_rows_avx2,
        [ISA_LEVEL_AVX512] = &diffuse_rows_avx512,
    };
    cpu_share(queue, (stage->out.shape.height + BAND - 1) / BAND, share_band, &(Shared){stage, *rows[isa_detect()]});
    return STATUS_OK;
}

const Level cpu_diffuse_simd = {
    .op = &op_diffuse,
    .name = "simd",
    .idea = "three rows converted once in a ring, the flow from all sides by vectors, the exponential by a polynomial",
    .run = run,
};
