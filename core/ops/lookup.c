/* lookup.c: the needs and costs of looking up. */
#include "core/ops/lookup.h"

#include "core/ops/histogram.h"
#include "core/stage/op.h"

#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const LookupJob *lookup = job;
    const size_t colours = (size_t)shape_colours(in[0]);
    const int width = lookup->line ? (int)LINE_VALUES : lookup->bins.count;
    TRY(bins_check(lookup->bins, in[0].type, "lookup"));
    if (lookup->line && in[0].type != PIXEL_F32)
        return fail(STATUS_USAGE, "lookup: lines are for f32, not for %s", pixel_type_name(in[0].type));
    if (in[1].type != in[0].type || in[1].channels != 1 || in[1].width != (size_t)width)
        return fail(STATUS_USAGE, "lookup: a curve of %zu values of %s, want %d of %s", in[1].width,
                    pixel_type_name(in[1].type), width, pixel_type_name(in[0].type));
    if (in[1].height != 1 && (lookup->luma || in[1].height != colours))
        return fail(STATUS_USAGE, "lookup: %zu curves for %zu colours", in[1].height, lookup->luma ? 1 : colours);
    if (type != in[0].type)
        return fail(STATUS_USAGE, "lookup: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    *out = in[0];
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    (void)job;
    return k == 0 ? out : (Region){0, 0, in[k].width, in[k].height};
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){2 * (double)shape_bytes(out) + (double)shape_bytes(stage->in[1].shape),
                  (double)out.width * (double)out.height * shape_colours(out)};
}

/* The values of the curve are at hand: whole numbers are copied, and lines rounded once. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage;
    Verdict verdict = verdict_of(want, got, 2e-6 * max_in);
    if (want.shape.type != PIXEL_F32)
        verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const LookupJob *lookup = job;
    return (size_t)snprintf(buffer, size, "%d results%s%s%s", lookup->bins.count, lookup->luma ? ", by luma" : "",
                            lookup->line      ? ", a line"
                            : lookup->nearest ? ", nearest"
                                              : "",
                            lookup->extend ? ", beyond the ends" : "");
}

/* Examples have one curve for all channels, one for each, and one by luma. Examples of f32 are lines on noise, which
 * are steep, so that there are few, and a line alone. */
static Status example(size_t index, Shape in, void *job) {
    LookupJob *lookup = job;
    *lookup = (LookupJob){.bins = bins_of(in.type, 1), .luma = index == 2, .nearest = index == 2};
    if (in.type == PIXEL_F32 && index != 2) {
        lookup->bins = index == 0 ? (Bins){5, 0, 4} : (Bins){4, 0.25F, 5.5F};
        lookup->extend = index == 1;
        lookup->line = index == 3;
    }
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    LookupJob job;
    if (k == 0 || example(index, picture, &job) != STATUS_OK)
        return picture;
    return (Shape){job.line ? (size_t)LINE_VALUES : (size_t)job.bins.count,
                   index == 1 ? (size_t)shape_colours(picture) : 1, 1, picture.type};
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "%sx%d %zu", pixel_type_name(stage->out.shape.type),
             stage->out.shape.channels, stage->in[1].shape.height);
}

const Op op_lookup = {
    .name = "lookup",
    .help = "each value becomes its value on a curve",
    .inputs = 2,
    .chooses = true,
    .job_bytes = sizeof(LookupJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 4,
    .example_input = example_input,
    .features = features,
};
