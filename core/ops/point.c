/* point.c: the functions as a table, and what one costs. */
#include "core/ops/point.h"

#include "core/op.h"

#include <math.h>
#include <stdio.h>

enum { VALUE = true, PIXEL = false };

const PointInfo points[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) {#name, help, inputs, reach, point_##name},
#include "core/math/point.def"
#undef POINT
};

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const PointJob *point = job;
    const PointInfo *info = &points[point->function];
    for (int k = 1; k < info->inputs; k++)
        if (in[k].width != in[0].width || in[k].height != in[0].height || in[k].channels != in[0].channels)
            return fail(STATUS_USAGE, "%s: its second image is %zux%zu with %d channels, want %zux%zu with %d",
                        info->name, in[k].width, in[k].height, in[k].channels, in[0].width, in[0].height,
                        in[0].channels);
    if (point->channels < 0 || point->channels > in[0].channels)
        return fail(STATUS_USAGE, "%s: %d channels of %d cannot be stored", info->name, point->channels,
                    in[0].channels);
    *out = shape_with_type(in[0], type);
    out->channels = point->channels > 0 ? point->channels : in[0].channels;
    return STATUS_OK;
}

static int inputs_of(const void *job) {
    return points[((const PointJob *)job)->function].inputs;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job, (void)k, (void)in;
    return out;
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape); /* 0 where there is none */
    return (Cost){bytes, (double)out.width * (double)out.height * out.channels};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, point_job(stage)->white));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s", points[((const PointJob *)job)->function].name);
}

static Status example(size_t index, Shape in, void *job) {
    const PointFunction order[] = {POINT_grayscale}; /* first, since it is what bench times */
    const PointFunction function = index == 0 ? order[0] : (PointFunction)(index - 1);
    *(PointJob *)job = (PointJob){function, 0, pixel_type_white(in.type), {1}};
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%s %s", pixel_type_name(stage->in[0].shape.type),
             points[point_job(stage)->function].name);
}

const Op op_point = {
    .name = "point",
    .help = "each pixel becomes a function of itself",
    .inputs = 2,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(PointJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = POINT_FUNCTIONS + 1,
    .features = features,
};
