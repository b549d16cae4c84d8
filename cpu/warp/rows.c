/* rows.c: a warp row by row, by the widest instruction set. */
#include "cpu/warp/rows.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    static WarpRow *const *const rows[ISA_LEVELS] = {&warp_row_portable, &warp_row_avx2, &warp_row_avx512};
    cpu_share_stage(queue, stage, *rows[isa_detect()]);
    return STATUS_OK;
}

const Level cpu_warp_rows = {
    .op = &op_warp,
    .name = "rows",
    .idea = "places of a run of pixels found by vectors, then a pixel's channels weighed together; only pixels near "
            "edges ask for a place; cores share the rows",
    .run = run,
};
