/* expose.c: the needs and costs of scaling by a mean. */
#include "core/ops/expose.h"

#include "core/ops/reduce.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job, (void)type; /* whatever the chain stores: light has no upper end */
    if (in[0].type != PIXEL_U32 || in[0].width != REDUCTION_WORDS || in[0].channels != 1)
        return fail(STATUS_USAGE, "expose: takes a reduction, not %zux%zu values of %s", in[0].width, in[0].height,
                    pixel_type_name(in[0].type));
    *out = in[1];
    out->type = PIXEL_F32;
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job;
    return k == 1 ? out : (Region){0, 0, in[k].width, in[k].height};
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(stage->in[1].shape) +
                      (double)shape_bytes(out),
                  (double)out.width * (double)out.height * out.channels};
}

/* By the picture: `max_in` is of the reduction. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    return verdict_of(want, got, 2e-6 * pixel_type_white(stage->in[1].shape.type));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "key %g", ((const ExposeJob *)job)->key);
}

static Status example(size_t index, Shape in, void *job) {
    (void)index, (void)in;
    *(ExposeJob *)job = (ExposeJob){0.18};
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    (void)index;
    return k == 0 ? (Shape){REDUCTION_WORDS, 1, 1, PIXEL_U32} : picture;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[1].shape;
    features->axes[0] = log2((double)in.width * (double)in.height) / 4;
    snprintf(features->kind, sizeof features->kind, "%sx%d", pixel_type_name(in.type), in.channels);
}

const Op op_expose = {
    .name = "expose",
    .help = "scales light so that its mean becomes a key",
    .inputs = 2,
    .of_counts = 1,
    .job_bytes = sizeof(ExposeJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 1,
    .example_input = example_input,
    .features = features,
};
