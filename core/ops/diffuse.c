/* diffuse.c: the needs, costs and tolerances of steps of diffusion. */
#include "core/ops/diffuse.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const int side = 2 * ((const DiffuseJob *)job)->steps + 1;
    return window_needs(((const DiffuseJob *)job)->border.mode, out, in[k], side, side);
}

/* For each step and each of four neighbours: a difference, its conductance counted as eight, a product and a sum. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  44.0 * diffuse_job(stage)->steps * (double)out.width * (double)out.height * out.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)diffuse_job(stage)->border.value)));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const DiffuseJob *diffuse = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "%d steps, %s, lambda %g, kappa %g, border %s", diffuse->steps,
                            diffuse->conductance == DIFFUSE_STEEP ? "steep" : "wide", diffuse->rate, diffuse->kappa,
                            border_format(diffuse->border, border, sizeof border));
}

static const struct {
    DiffuseConductance conductance;
    double rate, kappa; /* kappa: of white */
    int steps;
    Border border;
} examples[] = {
    {DIFFUSE_STEEP, 0.2, 0.1, 10, {BORDER_CLAMP, 0}}, {DIFFUSE_WIDE, 0.25, 0.5, 3, {BORDER_CONSTANT, 0.7F}},
    {DIFFUSE_STEEP, 0.1, 2, 7, {BORDER_WRAP, 0}},     {DIFFUSE_WIDE, 0.15, 0.02, 13, {BORDER_MIRROR, 0}},
    {DIFFUSE_STEEP, 0.25, 0.3, 1, {BORDER_ZERO, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    *(DiffuseJob *)job =
        (DiffuseJob){examples[index].conductance, examples[index].rate,
                     examples[index].kappa * pixel_type_white(in.type), examples[index].steps, examples[index].border};
    return STATUS_OK;
}

const Op op_diffuse = {
    .name = "diffuse",
    .help = "values flow to their neighbours, the less the steeper it is, step after step",
    .inputs = 1,
    .job_bytes = sizeof(DiffuseJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
