/* curve.c: the kinds as a table, and the needs and costs of a curve. */
#include "core/ops/curve.h"

#include "core/ops/histogram.h"
#include "core/ops/reduce.h"
#include "core/stage/op.h"

#include <stdio.h>

enum { EXAMPLE_BY_EXTREMA = CURVE_KINDS + 2 };

const CurveInfo curves[CURVE_KINDS] = {
#define CURVE(name, help, body) {#name, help},
#include "core/math/curve.def"
#undef CURVE
};

static Status shape_by_extrema(const CurveJob *curve, Shape in, PixelType type, Shape *out) {
    if (!curve_needs_extrema_alone(curve))
        return fail(STATUS_USAGE, "curve: %s, and any fraction of the values, goes by a histogram",
                    curves[curve->kind].name);
    if (in.type != PIXEL_U32 || in.width != REDUCTION_WORDS || in.height < (size_t)curve->extrema ||
        curve->extrema > CURVE_ROWS || in.channels != 1)
        return fail(STATUS_USAGE, "curve: takes reductions of %d channels, not %zux%zu values of %s", curve->extrema,
                    in.width, in.height, pixel_type_name(in.type));
    if (curve->line && type != PIXEL_F32)
        return fail(STATUS_USAGE, "curve: lines are of f32, not of %s", pixel_type_name(type));
    const size_t width = curve->line ? (size_t)LINE_VALUES : (size_t)curve->bins.count;
    *out = (Shape){width, curve->merge ? 1 : (size_t)curve->extrema, 1, type};
    return STATUS_OK;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const CurveJob *curve = job;
    TRY(bins_check(curve->bins, type, "curve"));
    if (curve->extrema > 0)
        return shape_by_extrema(curve, in[0], type, out);
    if (curve->line)
        return fail(STATUS_USAGE, "curve: lines go by extrema");
    if (in[0].type != PIXEL_U32 || in[0].width != (size_t)curve->bins.count || in[0].height > CURVE_ROWS ||
        in[0].channels != 1)
        return fail(STATUS_USAGE, "curve: takes a histogram of %d bins, not %zux%zu values of %s", curve->bins.count,
                    in[0].width, in[0].height, pixel_type_name(in[0].type));
    *out = (Shape){in[0].width, curve->merge ? 1 : in[0].height, 1, type};
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(out), (double)out.width * (double)in.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)max_in;
    return verdict_of(want, got, 2e-6 * curve_job(stage)->white);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const CurveJob *curve = job;
    return (size_t)snprintf(buffer, size, "%s of %d bins%s%s%s", curves[curve->kind].name, curve->bins.count,
                            curve->merge ? ", all channels alike" : "", curve->line ? ", a line" : "",
                            curve->extrema > 0 ? ", by extrema" : "");
}

/* Every kind, and the first with all channels alike, and one with nothing left to choose; the first by extrema. */
static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    CurveJob curve = {.kind = (CurveKind)(index % CURVE_KINDS),
                      .bins = bins_of(in.type, 1),
                      .merge = index >= CURVE_KINDS,
                      .white = white,
                      .parameters = {0.01, index > CURVE_KINDS ? 1 : 0.02, 0.1 * white, 0.9 * white}};
    if (index == EXAMPLE_BY_EXTREMA) {
        curve.kind = CURVE_stretch;
        curve.extrema = shape_colours(in);
        curve.line = in.type == PIXEL_F32;
        curve.parameters[0] = curve.parameters[1] = 0;
    }
    *(CurveJob *)job = curve;
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    (void)k;
    const size_t count = (size_t)bins_of(picture.type, 1).count;
    return (Shape){index == EXAMPLE_BY_EXTREMA ? REDUCTION_WORDS : count, (size_t)shape_colours(picture), 1, PIXEL_U32};
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%s%s", curves[curve_job(stage)->kind].name,
             curve_job(stage)->extrema > 0 ? " by extrema" : "");
}

const Op op_curve = {
    .name = "curve",
    .help = "finds a curve for all values, by a histogram or by minima and maxima",
    .inputs = 1,
    .of_counts = 1,
    .job_bytes = sizeof(CurveJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLE_BY_EXTREMA + 1,
    .example_input = example_input,
    .features = features,
};
