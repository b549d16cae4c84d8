/* curve.c: the kinds as a table, and what a curve needs and costs. */
#include "core/ops/curve.h"

#include "core/op.h"
#include "core/ops/histogram.h"

#include <stdio.h>

const CurveInfo curves[CURVE_KINDS] = {
#define CURVE(name, help, body) {#name, help},
#include "core/math/curve.def"
#undef CURVE
};

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const CurveJob *curve = job;
    TRY(bins_check(curve->bins, type, "curve"));
    if (in[0].type != PIXEL_U32 || in[0].width != (size_t)curve->bins.count || in[0].height > CURVE_ROWS ||
        in[0].channels != 1)
        return fail(STATUS_USAGE, "curve: takes a histogram of %d bins, not %zux%zu values of %s", curve->bins.count,
                    in[0].width, in[0].height, pixel_type_name(in[0].type));
    *out = (Shape){in[0].width, curve->merge ? 1 : in[0].height, 1, type};
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(stage->out.shape),
                  (double)in.width * (double)in.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    return verdict_of(want, got, 2e-6 * curve_job(stage)->white);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const CurveJob *curve = job;
    return (size_t)snprintf(buffer, size, "%s of %d bins%s", curves[curve->kind].name, curve->bins.count,
                            curve->merge ? ", all channels alike" : "");
}

/* Every kind, and the first with all channels alike, and one with nothing left to choose. */
static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    *(CurveJob *)job = (CurveJob){.kind = (CurveKind)(index % CURVE_KINDS),
                                  .bins = bins_of(in.type, 1),
                                  .merge = index >= CURVE_KINDS,
                                  .white = white,
                                  .parameters = {0.01, index > CURVE_KINDS ? 1 : 0.02, 0.1 * white, 0.9 * white}};
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    (void)index, (void)k;
    return (Shape){(size_t)bins_of(picture.type, 1).count, (size_t)shape_colours(picture), 1, PIXEL_U32};
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%s", curves[curve_job(stage)->kind].name);
}

const Op op_curve = {
    .name = "curve",
    .help = "finds what each value shall become, by a histogram",
    .inputs = 1,
    .of_counts = true,
    .job_bytes = sizeof(CurveJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = CURVE_KINDS + 2,
    .example_input = example_input,
    .features = features,
};
