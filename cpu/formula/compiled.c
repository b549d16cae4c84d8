/* compiled.c: formulas row by row, by machine code that is written for each. */
#include "core/device/backend.h"
#include "cpu/device.h"
#include "cpu/formula/codes.h"
#include "cpu/formula/rows.h"
#include "cpu/team.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device, (void)stage;
    *why_not = "it writes code for x86-64 with AVX2";
    return formula_code_possible();
}

static Status run(Queue *queue, const Stage *stage) {
    const FormulaCode *code = formula_codes_find(&((CpuQueue *)queue)->formulas, &formula_job(stage)->program);
    cpu_share_result(queue, stage->out.shape.height, formula_row(), &(FormulaRows){stage, code});
    return STATUS_OK;
}

const Level cpu_formula_compiled = {
    .op = &op_formula,
    .name = "compiled",
    .idea = "machine code is written for the formula: values stay in registers from step to step",
    .accepts = accepts,
    .run = run,
};
