/* simd.c: steps of diffusion by vectors. */
#include "core/device/backend.h"
#include "cpu/diffuse/rows.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum { BAND = 32 };

typedef struct Shared {
    DiffuseStep step;
    DiffuseRows *some;
} Shared;

static void share_band(const void *work, size_t band, size_t thread) {
    const Shared *shared = work;
    const size_t y = band * BAND, height = shared->step.stage->out.shape.height;
    (void)thread;
    shared->some(&shared->step, y, height - y < BAND ? height : y + BAND);
}

static size_t picture_bytes(const Stage *stage) {
    const Shape shape = stage->out.shape;
    return shape.width * shape.height * (size_t)shape.channels *
           (diffuse_is_wide(stage) ? sizeof(double) : sizeof(float));
}

/* Two pictures between which steps go back and forth. */
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return diffuse_job(stage)->steps > 1 ? 2 * picture_bytes(stage) : 0;
}

static Status run(Queue *queue, const Stage *stage) {
    static DiffuseRows *const *const rows[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &diffuse_rows_portable,
        [ISA_LEVEL_AVX2] = &diffuse_rows_avx2,
        [ISA_LEVEL_AVX512] = &diffuse_rows_avx512,
    };
    const int steps = diffuse_job(stage)->steps;
    const size_t bands = (stage->out.shape.height + BAND - 1) / BAND;
    Shared shared = {{stage, NULL, NULL}, *rows[isa_detect()]};
    void *scratch = NULL;
    if (steps > 1)
        TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    for (int i = 0; i < steps && !queue_stops(queue); i++) {
        shared.step.to = i + 1 < steps ? (char *)scratch + (i % 2 ? picture_bytes(stage) : 0) : NULL;
        cpu_share(queue, bands, share_band, &shared);
        shared.step.from = shared.step.to;
    }
    return STATUS_OK;
}

const Level cpu_diffuse_simd = {
    .op = &op_diffuse,
    .name = "simd",
    .idea = "three rows converted once in a ring, the flow from all sides by vectors, the exponential by a polynomial",
    .workspace = workspace,
    .run = run,
};
