/* rows.c: colours through a table row by row, by the widest instruction set. */
#include "cpu/cube/rows.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    static CubeRow *const *const rows[ISA_LEVELS] = {&cube_row_portable, &cube_row_avx2, &cube_row_avx512};
    cpu_share_stage(queue, stage, *rows[isa_detect()]);
    return STATUS_OK;
}

const Level cpu_cube_rows = {
    .op = &op_cube,
    .name = "rows",
    .idea = "places of a run of pixels found by vectors, then the three values of an entry weighed together",
    .run = run,
};
