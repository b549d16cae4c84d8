/* dot.c: the needs and costs of a dot product, and how it is stored. */
#include "core/ops/dot.h"

#include "core/ops/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double dot_of(ImageView result, int channel) {
    double product;
    memcpy(&product, view_row(result, (size_t)channel), sizeof product);
    return product;
}

void dot_store(ImageView result, int channel, double product) {
    memcpy(view_row(result, (size_t)channel), &product, sizeof product);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job, (void)type;
    TRY(totals_check("dot", in, true));
    *out = (Shape){DOT_WORDS, (size_t)in[0].channels, 1, PIXEL_U32};
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (Cost){2 * (double)shape_bytes(in) + (double)shape_bytes(stage->out.shape),
                  2 * (double)in.width * (double)in.height * in.channels};
}

static size_t describe(const void *job, char *buffer, size_t size) {
    (void)job;
    return (size_t)snprintf(buffer, size, "of two pictures");
}

static Status example(size_t index, Shape in, void *job) {
    (void)index, (void)in;
    *(DotJob *)job = (DotJob){false};
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[0].shape;
    features->axes[0] = log2((double)in.width * (double)in.height) / 4;
    snprintf(features->kind, sizeof features->kind, "%sx%d", pixel_type_name(in.type), in.channels);
}

const Op op_dot = {
    .name = "dot",
    .help = "multiplies two pictures value by value and adds up the products of each channel",
    .inputs = 2,
    .job_bytes = sizeof(DotJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = totals_compare,
    .describe = describe,
    .example = example,
    .example_count = 1,
    .features = features,
};
