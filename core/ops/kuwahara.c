/* kuwahara.c: the needs, costs and tolerances of the most even quadrant. */
#include "core/ops/kuwahara.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    if (in[0].type != PIXEL_F32 && fabs(((const KuwaharaJob *)job)->unit - 1) > 0)
        return fail(STATUS_USAGE, "kuwahara: luma of %s has a unit of %g, want 1", pixel_type_name(in[0].type),
                    ((const KuwaharaJob *)job)->unit);
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "kuwahara: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const KuwaharaJob *kuwahara = job;
    const int side = 2 * kuwahara->radius + 1;
    return window_needs(kuwahara->border.mode, out, in[k], side, side);
}

/* Luma, its sum and that of its squares in each quadrant, and one mean. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    const double side = kuwahara_job(stage)->radius + 1;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  side * side * (12.0 + out.channels) * (double)out.width * (double)out.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)kuwahara_job(stage)->border.value)));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const KuwaharaJob *kuwahara = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "radius %d, border %s", kuwahara->radius,
                            border_format(kuwahara->border, border, sizeof border));
}

static const struct {
    int radius;
    Border border;
} examples[] = {
    {3, {BORDER_CLAMP, 0}},
    {1, {BORDER_MIRROR, 0}},
    {2, {BORDER_CONSTANT, 0.7F}},
    {15, {BORDER_WRAP, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    *(KuwaharaJob *)job =
        (KuwaharaJob){examples[index].radius, in.type == PIXEL_F32 ? ldexp(1, -14) : 1, examples[index].border};
    return STATUS_OK;
}

const Op op_kuwahara = {
    .name = "kuwahara",
    .help = "each pixel becomes the mean of the most even quadrant around it",
    .inputs = 1,
    .job_bytes = sizeof(KuwaharaJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
