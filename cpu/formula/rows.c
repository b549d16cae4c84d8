/* rows.c: formulas row by row, by the widest instruction set. */
#include "cpu/formula/rows.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

FormulaRow *formula_row(void) {
    static FormulaRow *const *const rows[ISA_LEVELS] = {&formula_row_portable, &formula_row_avx2, &formula_row_avx512};
    return *rows[isa_detect()];
}

static Status run(Queue *queue, const Stage *stage) {
    cpu_share_result(queue, stage->out.shape.height, formula_row(), &(FormulaRows){stage, NULL});
    return STATUS_OK;
}

const Level cpu_formula_rows = {
    .op = &op_formula,
    .name = "rows",
    .idea = "each step on a run of pixels that stays in the nearest cache, as a loop of vectors",
    .run = run,
};
