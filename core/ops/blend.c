/* blend.c: the modes as a table, and the needs and costs of blending. */
#include "core/ops/blend.h"

#include "core/ops/histogram.h"
#include "core/stage/op.h"

#include <stdio.h>

const BlendInfo blends[BLEND_MODES] = {
#define BLEND(name, help, whole, body) {#name, help},
#include "core/math/blend.def"
#undef BLEND
};

static int inputs_of(const void *job) {
    return ((const BlendJob *)job)->masked ? 3 : 2;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    static const char *const names[STAGE_INPUTS] = {"picture", "other image", "mask"};
    for (int k = 1; k < inputs_of(job); k++)
        if (in[k].width != in[0].width || in[k].height != in[0].height)
            return fail(STATUS_INPUT, "blend: the %s is %zux%zu, want %zux%zu", names[k], in[k].width, in[k].height,
                        in[0].width, in[0].height);
    if (shape_colours(in[1]) > shape_colours(in[0]))
        return fail(STATUS_INPUT, "blend: the other image has colours, and the picture is gray");
    if (type != in[0].type)
        return fail(STATUS_USAGE, "blend: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape);
    return (Cost){bytes, 6 * (double)out.width * (double)out.height * out.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 4e-6 * fmax(max_in, blend_job(stage)->white));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const BlendJob *blend = job;
    return (size_t)snprintf(buffer, size, "%s, opacity %g%s%s", blends[blend->mode].name, blend->opacity,
                            blend->masked ? ", mask" : "", blend->ignore_alpha ? ", alpha ignored" : "");
}

/* Every mode; opaque and half transparent, with a mask and without; f32 premultiplied, too. */
static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    *(BlendJob *)job = (BlendJob){.mode = (BlendMode)(index % BLEND_MODES),
                                  .masked = index % 3 == 2,
                                  .ignore_alpha = index % 7 == 6,
                                  .premultiplied = in.type == PIXEL_F32 && index % 5 == 1,
                                  .opacity = index % 2 ? 0.5 : 1,
                                  .white = white,
                                  .scale = 1,
                                  .mask_white = 255};
    return STATUS_OK;
}

/* The shape of input k: the other image as the picture is, or gray with alpha; the mask of bytes. */
static Shape example_input(size_t index, int k, Shape picture) {
    if (k == 1 && index % 4 == 3)
        picture.channels = 2;
    return k == 2 ? (Shape){picture.width, picture.height, index % 2 ? 1 : 3, PIXEL_U8} : picture;
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(stage->out.shape.type),
             stage->out.shape.channels, blends[blend_job(stage)->mode].name);
}

const Op op_blend = {
    .name = "blend",
    .help = "a picture over another one",
    .inputs = 3,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(BlendJob),
    .shape = shape,
    .needs = needs_same,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = BLEND_MODES,
    .example_input = example_input,
    .features = features,
};
