/* histogram.c: the needs and costs of counting. Counts are exact: every level agrees with the reference in each. */
#include "core/ops/histogram.h"

#include "core/stage/op_parts.h"

#include <stdio.h>

Bins bins_of(PixelType type, double high) {
    return type == PIXEL_U8    ? (Bins){BINS_U8, 0, 1}
           : type == PIXEL_U16 ? (Bins){BINS_U16, 0, 1}
                               : (Bins){BINS_MAX, 0, (float)((BINS_MAX - 1) / high)};
}

Status bins_check(Bins bins, PixelType type, const char *operation) {
    const int whole = type == PIXEL_U8 ? BINS_U8 : BINS_U16;
    if (type >= PIXEL_TYPES)
        return fail(STATUS_USAGE, "%s: takes pictures, not counts", operation);
    if (type != PIXEL_F32 && bins.count != whole)
        return fail(STATUS_USAGE, "%s: %d bins for %s pictures, want %d", operation, bins.count, pixel_type_name(type),
                    whole);
    if (bins.count < 2 || bins.count > BINS_MAX || !(bins.scale > 0))
        return fail(STATUS_USAGE, "%s: %d bins with %g of them a unit, want 2 to %d bins and a positive scale",
                    operation, bins.count, (double)bins.scale, BINS_MAX);
    return STATUS_OK;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const HistogramJob *histogram = job;
    (void)type; /* whatever the chain stores: counts are counts */
    TRY(bins_check(histogram->bins, in[0].type, "histogram"));
    if (in[0].width * in[0].height > UINT32_MAX)
        return fail(STATUS_USAGE, "histogram: a picture of %zux%zu has more pixels than can be counted, %u",
                    in[0].width, in[0].height, UINT32_MAX);
    const size_t rows = histogram->luma ? 1 : (size_t)shape_colours(in[0]);
    *out = (Shape){(size_t)histogram->bins.count, rows, 1, PIXEL_U32};
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(stage->out.shape),
                  (double)in.width * (double)in.height * shape_colours(in)};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const HistogramJob *histogram = job;
    return (size_t)snprintf(buffer, size, "%d bins%s%s", histogram->bins.count, histogram->luma ? " of luma" : "",
                            histogram->visible ? ", visible pixels" : "");
}

/* All channels, luma, visible pixels; f32 within a narrower range, in fewer bins. */
static Status example(size_t index, Shape in, void *job) {
    HistogramJob *histogram = job;
    *histogram = (HistogramJob){bins_of(in.type, index == 2 ? 0.75 : 1), index == 1, index >= 2};
    if (index == 3 && in.type != PIXEL_F32)
        return fail(STATUS_USAGE, "histogram: the bins of whole numbers are given");
    if (index == 3)
        histogram->bins = (Bins){37, 0.25F, 60};
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[0].shape;
    features->axes[0] = log2((double)in.width * (double)in.height) / 4;
    snprintf(features->kind, sizeof features->kind, "%sx%d %d%s", pixel_type_name(in.type), in.channels,
             histogram_job(stage)->bins.count, histogram_job(stage)->luma ? " luma" : "");
}

static const OpParts parts = {.join = counts_join};

const Op op_histogram = {
    .name = "histogram",
    .help = "counts how many pixels have each value",
    .inputs = 1,
    .job_bytes = sizeof(HistogramJob),
    .shape = shape,
    .parts = &parts,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 4,
    .features = features,
};
