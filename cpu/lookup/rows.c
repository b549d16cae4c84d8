/* rows.c: looking up by rows, shared out among the cores. */
#include "cpu/isa.h"
#include "cpu/lookup/row.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    LookupRows *const sets[ISA_LEVELS] = {&lookup_rows_portable, &lookup_rows_avx2, &lookup_rows_avx512};
    const Shape shape = stage->out.shape;
    cpu_share_stage(queue, stage, (*sets[isa_detect()])[shape.type][shape.channels - 1]);
    return STATUS_OK;
}

const Level cpu_lookup_rows = {
    .op = &op_lookup,
    .name = "rows",
    .idea = "rows on all cores, by loops for each type; bytes by vectors, 64 at once",
    .run = run,
};
