/* table.c: a formula of bytes whose results depend on the same channel alone. It is a curve of 256 results for each,
 * and the operation lookup. */
#include "core/device/backend.h"
#include "core/ops/formula.h"
#include "core/ops/lookup.h"

#include <string.h>

extern const Level cpu_lookup_rows;

enum { VALUES = 256, ELSEWHERE = 1 << FORMULA_CHANNELS /* a further picture, or the place */ };

/* The channels, as bits, that an operand depends on. */
static int operand_needs(const int registers[FORMULA_REGISTERS], int operand) {
    return operand < FORMULA_REGISTERS ? registers[operand] : 0;
}

/* The channels of the first picture that each result depends on, and ELSEWHERE. */
static void find_needs(const FormulaProgram *program, int colours, int needs[FORMULA_CHANNELS]) {
    int registers[FORMULA_REGISTERS] = {0};
    for (int k = 0; k < FORMULA_INPUTS; k++)
        for (int c = 0; c < FORMULA_CHANNELS; c++)
            if (program->values[k][c] != FORMULA_NONE)
                registers[program->values[k][c]] = k == 0 ? 1 << c : ELSEWHERE;
    if (program->x != FORMULA_NONE)
        registers[program->x] = ELSEWHERE;
    if (program->y != FORMULA_NONE)
        registers[program->y] = ELSEWHERE;
    for (int i = 0; i < program->steps; i++) {
        int all = 0;
        for (int k = 0; k < 3; k++)
            all |= operand_needs(registers, program->step[i].operands[k]);
        registers[program->step[i].to] = all;
    }
    for (int c = 0; c < colours; c++)
        needs[c] = operand_needs(registers, program->results[c]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const FormulaJob *job = formula_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    int needs[FORMULA_CHANNELS];
    (void)device;
    *why_not = "its results are not those of one byte each";
    if (in.type != PIXEL_U8 || out.type != PIXEL_U8 || in.channels != out.channels ||
        (shape_has_alpha(out) && !formula_keeps_alpha(stage)))
        return false;
    find_needs(&job->program, job->colours, needs);
    for (int c = 0; c < job->colours; c++)
        if (needs[c] & ~(1 << c))
            return false;
    return true;
}

/* The results for every byte. */
static void make_curves(const FormulaJob *job, ImageView curves) {
    for (int v = 0; v < VALUES; v++) {
        float values[FORMULA_INPUTS][FORMULA_CHANNELS] = {{0}}, results[FORMULA_CHANNELS];
        for (int c = 0; c < job->colours; c++)
            values[0][c] = (float)v / job->white[0];
        formula_pixel(&job->program, values, 0, 0, job->colours, results);
        for (int c = 0; c < job->colours; c++)
            view_set_value(curves, (size_t)v, (size_t)c, 0, (double)(results[c] * job->white[0]));
    }
}

static Status run(Queue *queue, const Stage *stage) {
    const FormulaJob *job = formula_job(stage);
    const LookupJob lookup = {.luma = false};
    uint8_t rows[FORMULA_CHANNELS][VALUES];
    ImageView curves = {{VALUES, (size_t)job->colours, 1, PIXEL_U8}, VALUES, rows};
    make_curves(job, curves);
    if (job->colours == 3 && memcmp(rows[0], rows[1], VALUES) == 0 && memcmp(rows[0], rows[2], VALUES) == 0)
        curves.shape.height = 1;
    const Stage looked_up = {
        .op = &op_lookup, .label = stage->label, .in = {stage->in[0], curves}, .out = stage->out, .job = &lookup};
    return cpu_lookup_rows.run(queue, &looked_up);
}

const Level cpu_formula_table = {
    .op = &op_formula,
    .name = "table",
    .idea = "results of one byte each are computed for all 256, and looked up",
    .accepts = accepts,
    .run = run,
};
