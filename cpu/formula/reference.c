/* reference.c: a formula, one pixel after the other, step by step. Never optimized. */
#include "core/device/backend.h"
#include "core/ops/formula.h"

static void pixel(const Stage *stage, size_t x, size_t y) {
    const FormulaJob *job = formula_job(stage);
    float values[FORMULA_INPUTS][FORMULA_CHANNELS] = {{0}}, results[FORMULA_CHANNELS];
    const int channels = stage->out.shape.channels, made = formula_keeps_alpha(stage) ? channels - 1 : channels;
    for (int k = 0; k < job->inputs; k++)
        for (int c = 0; c < stage->in[k].shape.channels; c++)
            values[k][c] = (float)view_value(stage->in[k], x, y, c) / job->white[k];
    formula_pixel(&job->program, values, (float)x, (float)y + job->top, made, results);
    for (int c = 0; c < made; c++)
        view_set_value(stage->out, x, y, c, (double)(results[c] * job->white[0]));
    if (made < channels)
        view_set_value(stage->out, x, y, made, view_value(stage->in[0], x, y, stage->in[0].shape.channels - 1));
}

static Status run(Queue *queue, const Stage *stage) {
    (void)queue;
    for (size_t y = 0; y < stage->out.shape.height; y++)
        for (size_t x = 0; x < stage->out.shape.width; x++)
            pixel(stage, x, y);
    return STATUS_OK;
}

const Level cpu_formula_reference = {
    .op = &op_formula,
    .name = "reference",
    .idea = "one pixel after the other through all steps; every other level is checked against it",
    .run = run,
};
