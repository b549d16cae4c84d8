/* guided.c: the needs, costs and tolerances of a guided filter. */
#include "core/ops/guided.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static int inputs_of(const void *job) {
    return 1 + ((const GuidedJob *)job)->joint;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "guided: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    if (((const GuidedJob *)job)->joint && (in[1].width != in[0].width || in[1].height != in[0].height ||
                                            (in[1].channels != in[0].channels && in[1].channels != 1)))
        return fail(STATUS_USAGE, "guided: the guide is %zux%zu with %d channels, want %zux%zu with %d or 1",
                    in[1].width, in[1].height, in[1].channels, in[0].width, in[0].height, in[0].channels);
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const GuidedJob *guided = job;
    const int side = 4 * guided->radius + 1;
    return window_needs(guided->border.mode, out, in[k], side, side);
}

/* Sums that run over six quantities. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape);
    return (Cost){bytes, 40.0 * (double)out.width * (double)out.height * out.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)guided_job(stage)->border.value)));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const GuidedJob *guided = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "radius %d, epsilon %g%s, border %s", guided->radius, guided->epsilon,
                            guided->joint ? ", joint" : "", border_format(guided->border, border, sizeof border));
}

static const struct {
    int radius;
    double edge; /* of white */
    bool joint;
    Border border;
} examples[] = {
    {4, 0.1, false, {BORDER_CLAMP, 0}},
    {1, 0.5, true, {BORDER_MIRROR, 0}},
    {2, 0.05, false, {BORDER_CONSTANT, 0.7F}},
    {9, 0.3, true, {BORDER_WRAP, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    const double edge = examples[index].edge * pixel_type_white(in.type);
    *(GuidedJob *)job = (GuidedJob){examples[index].radius, edge * edge, examples[index].joint, examples[index].border};
    return STATUS_OK;
}

const Op op_guided = {
    .name = "guided",
    .help = "each pixel becomes a linear function of a guide, fitted to the picture around it",
    .inputs = 2,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(GuidedJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
