/* rows.c: a blend on runs of pixels, by the widest instruction set. */
#include "cpu/blend/rows.h"

#include "core/device/backend.h"
#include "cpu/blend/measured.h"
#include "cpu/isa.h"
#include "cpu/team.h"

void blend_rows(Queue *queue, const Stage *stage) {
    static BlendRow *const *const rows[ISA_LEVELS] = {&blend_row_portable, &blend_row_avx2, &blend_row_avx512};
    cpu_share_stage(queue, stage, *rows[isa_detect()]);
}

static Status run(Queue *queue, const Stage *stage) {
    blend_rows(queue, stage);
    return STATUS_OK;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "colours are multiplied by alpha";
    return !blend_job(stage)->premultiplied;
}

const Level cpu_blend_rows = {
    .op = &op_blend,
    .name = "rows",
    .idea = "runs of pixels taken apart into planes, whose loops the compiler turns into vectors",
    .accepts = accepts,
    .predictor = &cpu_blend_measured,
    .run = run,
};
