/* formula.c: the needs and costs of formulas, and examples of them. */
#include "core/ops/formula.h"

#include "core/ops/histogram.h"
#include "core/param/formula.h"
#include "core/stage/op_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_bytes(const void *a, const void *b, size_t count) {
    return memcmp(a, b, count) == 0;
}

/* Steps behind the last have no meaning. */
bool formula_same_steps(const FormulaProgram *a, const FormulaProgram *b) {
    return a->steps == b->steps && a->constants == b->constants && a->registers == b->registers && a->x == b->x &&
           a->y == b->y && same_bytes(a->values, b->values, sizeof a->values) &&
           same_bytes(a->results, b->results, sizeof a->results) &&
           same_bytes(a->step, b->step, (size_t)a->steps * sizeof a->step[0]);
}

static int inputs_of(const void *job) {
    return ((const FormulaJob *)job)->inputs;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const FormulaJob *formula = job;
    for (int k = 1; k < formula->inputs; k++)
        if (in[k].width != in[0].width || in[k].height != in[0].height)
            return fail(STATUS_INPUT, "formula: image %d is %zux%zu, want %zux%zu", k + 1, in[k].width, in[k].height,
                        in[0].width, in[0].height);
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "formula: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    out->channels = formula->colours + (shape_has_alpha(in[0]) ? 1 : 0);
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape); /* 0 where there is none */
    return (Cost){bytes, (double)out.width * (double)out.height * formula_job(stage)->program.steps};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, (double)formula_job(stage)->white[0]));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const FormulaProgram *program = &((const FormulaJob *)job)->program;
    return (size_t)snprintf(buffer, size, "%d operations, %d values at a time", program->steps, program->registers);
}

/* bench times the first: 20 operations a pixel of three colours. */
static const char *const examples[] = {
    "l = luma; t = clamp(l * 2 - 0.5, 0, 1); l + (v - l) * (1 + 0.5 * t)",
    "v",
    "1 - v; v * 0.5; 0.25",
    "sqrt(abs(r * g - b)) + floor(8 * v) / 8",
    "x < 3 || y == 2 ? r : max(g, b) * min(r, b, 0.7)",
    "exp(-4 * v) + log(v + 0.01) * 0.1 + v ^ 2.2",
    "0.5 + 0.25 * sin(0.7 * x) + 0.25 * cos(0.3 * y - v)",
    "noise(7) * noise(8)",
    "r * 0.5; g; b; 1 - a",
    "c = (v - 0.5) / (r + g + b + 0.1); smoothstep(-0.5, 0.5, c) / v",
    "v ^ 2.2 + (v != 0.5 ? 0 : -1)",
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): more values at a time than a processor has registers */
    "a1 = v + 1; a2 = a1 * v; a3 = a2 - r; a4 = a3 + a1; a5 = a4 * a2; a6 = a5 - a3; a7 = a6 * 0.5; a8 = a7 + a4;"
    "b1 = max(a8, a5); b2 = b1 - a6; b3 = b2 + a7; b4 = b3 * 0.25; b5 = b4 - a8; b6 = b5 + b1; b7 = b6 * 0.5;"
    "b8 = a1 > 1.2 && a2 < 0.9 ? a3 : -a4;"
    "b8 * (b7 - b6) * a1 + (b5 - b4) * a2 + (b3 - b2) * a3 + (b1 - a8) * a4 + exp(a6 * 0.1) * a5 + a7",
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static Status example(size_t index, Shape in, void *job) {
    FormulaJob *formula = job;
    const FormulaPicture picture = {
        .colours = {shape_colours(in)}, .alpha = shape_has_alpha(in), .results = shape_colours(in)};
    *formula = (FormulaJob){.inputs = 1,
                            .colours = shape_colours(in),
                            .white = {(float)pixel_type_white(in.type)},
                            .top = index % 3 == 2 ? 1000 : 0};
    return formula_parse(examples[index], &picture, &formula->program);
}

static void place(void *job, const PartPlace *part) {
    ((FormulaJob *)job)->top = (float)part->top;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[0].shape;
    features->axes[0] = log2((double)in.width * (double)in.height) / 4;
    features->axes[1] = log2(1 + formula_job(stage)->program.steps);
    snprintf(features->kind, sizeof features->kind, "%sx%d", pixel_type_name(in.type), in.channels);
}

static const OpParts parts = {.place = place};

const Op op_formula = {
    .name = "formula",
    .help = "each pixel becomes the result of a formula",
    .inputs = STAGE_INPUTS,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(FormulaJob),
    .shape = shape,
    .needs = needs_same,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLES,
    .features = features,
    .parts = &parts,
};
