/* rows.c: a blend on runs of pixels, by the widest instruction set. */
#include "cpu/blend/rows.h"

#include "core/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

typedef struct Shared {
    const Stage *stage;
    BlendRow *row;
} Shared;

static void share_row(const void *work, size_t y) {
    const Shared *shared = work;
    shared->row(shared->stage, y);
}

void blend_rows(Queue *queue, const Stage *stage) {
    static BlendRow *const *const rows[ISA_LEVELS] = {&blend_row_portable, &blend_row_avx2, &blend_row_avx512};
    cpu_share_rows(queue, stage->out.shape.height, share_row, &(Shared){stage, *rows[isa_detect()]});
}

static Status run(Queue *queue, const Stage *stage) {
    blend_rows(queue, stage);
    return STATUS_OK;
}

const Level cpu_blend_rows = {
    .op = &op_blend,
    .name = "rows",
    .idea = "runs of pixels taken apart into planes, whose loops the compiler turns into vectors",
    .run = run,
};
