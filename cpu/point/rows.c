/* rows.c: a point program on runs of pixels, by the widest instruction set. */
#include "cpu/point/rows.h"

#include "cpu/isa.h"
#include "cpu/point/measured.h"
#include "cpu/team.h"

PointRow *point_row_vectors(void) {
    PointRow *const rows[ISA_LEVELS] = {point_row_portable, point_row_avx2, point_row_avx512};
    return rows[isa_detect()];
}

typedef struct Shared {
    const Stage *stage;
    PointRow *row;
    const PointProgram *program;
} Shared;

static void share_row(const void *work, size_t y) {
    const Shared *shared = work;
    PointScratch scratch;
    shared->row(shared->stage, shared->program, y, &scratch);
}

Status point_run_rows(Queue *queue, const Stage *stage, bool looks_up) {
    const PointProgram *program;
    TRY(point_program(queue, stage, looks_up, &program));
    cpu_share_rows(queue, stage->out.shape.height, share_row, &(Shared){stage, point_row_vectors(), program});
    return STATUS_OK;
}

static Status run(Queue *queue, const Stage *stage) {
    return point_run_rows(queue, stage, false);
}

const Level cpu_point_rows = {
    .op = &op_point,
    .name = "rows",
    .idea = "runs of pixels taken apart into planes, whose loops the compiler turns into vectors",
    .predictor = &cpu_point_measured,
    .run = run,
};
