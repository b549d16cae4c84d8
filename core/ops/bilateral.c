/* bilateral.c: the needs, costs and tolerances of a bilateral filter. */
#include "core/ops/bilateral.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static const double log2_e = 1.4426950408889634;

int bilateral_taps(const BilateralJob *job, BilateralTap *taps) {
    int count = 0;
    for (int y = -job->radius; y <= job->radius; y++)
        for (int x = -job->radius; x <= job->radius; x++)
            if (x * x + y * y <= job->radius * job->radius)
                taps[count++] = (BilateralTap){x, y, -log2_e * (x * x + y * y) / (2 * job->space * job->space)};
    return count;
}

double bilateral_slope(const BilateralJob *job) {
    return -log2_e / (2 * job->range * job->range);
}

static int inputs_of(const void *job) {
    return 1 + ((const BilateralJob *)job)->joint;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const BilateralJob *bilateral = job;
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "bilateral: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    if (bilateral->joint && (in[1].width != in[0].width || in[1].height != in[0].height))
        return fail(STATUS_USAGE, "bilateral: the guide is %zux%zu, want %zux%zu as the picture", in[1].width,
                    in[1].height, in[0].width, in[0].height);
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const BilateralJob *bilateral = job;
    const int side = 2 * bilateral->radius + 1;
    return window_needs(bilateral->border.mode, out, in[k], side, side);
}

/* A difference and a multiply-add for each channel of each neighbour, and an exponential counted as eight. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape, guide = bilateral_guide(stage).shape;
    const double radius = bilateral_job(stage)->radius, taps = acos(-1) * radius * radius + 1;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape);
    return (Cost){bytes, taps * (2 * guide.channels + 2 * out.channels + 12) * (double)out.width * (double)out.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)bilateral_job(stage)->border.value)));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const BilateralJob *bilateral = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "radius %d, space %g, range %g%s, border %s", bilateral->radius,
                            bilateral->space, bilateral->range, bilateral->joint ? ", joint" : "",
                            border_format(bilateral->border, border, sizeof border));
}

static const struct {
    int radius;
    double space, range; /* range: of white */
    bool joint;
    Border border;
} examples[] = {
    {4, 3, 0.1, false, {BORDER_CLAMP, 0}}, {1, 0.5, 0.5, false, {BORDER_CONSTANT, 0.7F}},
    {2, 9, 0.02, true, {BORDER_WRAP, 0}},  {5, 2, 0.3, false, {BORDER_MIRROR, 0}},
    {9, 5, 0.15, false, {BORDER_ZERO, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    *(BilateralJob *)job = (BilateralJob){
        .radius = examples[index].radius,
        .space = examples[index].space,
        .range = examples[index].range * pixel_type_white(in.type),
        .joint = examples[index].joint,
        .border = examples[index].border,
    };
    return STATUS_OK;
}

const Op op_bilateral = {
    .name = "bilateral",
    .help = "each pixel becomes a mean of its neighbours that are near and alike",
    .inputs = 2,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(BilateralJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
