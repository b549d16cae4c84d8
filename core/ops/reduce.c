/* reduce.c: the needs and costs of adding up, and how a result is stored. */
#include "core/ops/reduce.h"

#include "core/ops/totals.h"
#include "core/stage/op_parts.h"

#include <stdio.h>
#include <string.h>

Reduction reduction_of(ImageView result, int channel) {
    Reduction reduction;
    memcpy(&reduction, view_row(result, (size_t)channel), sizeof reduction);
    return reduction;
}

void reduction_store(ImageView result, int channel, Reduction reduction) {
    memcpy(view_row(result, (size_t)channel), &reduction, sizeof reduction);
}

static int inputs_of(const void *job) {
    return ((const ReduceJob *)job)->difference ? 2 : 1;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const ReduceJob *reduce = job;
    (void)type; /* whatever the chain stores */
    TRY(totals_check("reduce", in, reduce->difference));
    if (in[0].type == PIXEL_U32 && (reduce->what & REDUCE_SQUARES))
        return fail(STATUS_USAGE, "reduce: squares of counts exceed what sums can hold");
    *out = (Shape){REDUCTION_WORDS, (size_t)in[0].channels, 1, PIXEL_U32};
    return STATUS_OK;
}

static void join(ImageView result, ImageView part) {
    for (int c = 0; c < (int)result.shape.height; c++) {
        Reduction all = reduction_of(result, c);
        const Reduction more = reduction_of(part, c);
        all.count += more.count;
        all.sum += more.sum;
        all.squares += more.squares;
        all.minimum = fmin(all.minimum, more.minimum);
        all.maximum = fmax(all.maximum, more.maximum);
        reduction_store(result, c, all);
    }
}

/* Sums of squares, and of most f32, are rounded: their bits depend on the order. */
static bool joins(const Stage *stage) {
    const ReduceJob *job = reduce_job(stage);
    const unsigned what = job->what, rounded = stage->in[0].shape.type == PIXEL_F32 && !job->exact ? REDUCE_SUM : 0;
    return !(what & (REDUCE_SQUARES | rounded));
}

/* An addition, a comparison, two of these or a multiply-add a value. */
static double operations(unsigned what) {
    return (what & REDUCE_SUM ? 1 : 0) + (what & REDUCE_COUNT ? 1 : 0) + (what & REDUCE_EXTREMA ? 2 : 0) +
           (what & REDUCE_SQUARES ? 2 : 0);
}

static Cost cost(const Stage *stage) {
    const Shape in = stage->in[0].shape;
    const double values = (double)in.width * (double)in.height * in.channels;
    const bool difference = reduce_job(stage)->difference;
    return (Cost){(double)shape_bytes(in) * (difference ? 2 : 1) + (double)shape_bytes(stage->out.shape),
                  values * (operations(reduce_job(stage)->what) + (difference ? 1 : 0))};
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const ReduceJob *reduce = job;
    const unsigned what = reduce->what;
    char words[64];
    snprintf(words, sizeof words, "%s%s%s%s%s", what & REDUCE_SUM ? " sum" : "",
             what & REDUCE_SQUARES ? " squares" : "", what & REDUCE_EXTREMA ? " extrema" : "",
             what & REDUCE_COUNT ? " count" : "", reduce->difference ? " of differences" : "");
    return (size_t)snprintf(buffer, size, "%s", words + (words[0] == ' '));
}

/* The sum alone, as everybody times it; then all there is, the ends alone, and differences. */
static Status example(size_t index, Shape in, void *job) {
    static const ReduceJob examples[] = {
        {.what = REDUCE_SUM}, {.what = REDUCE_ALL}, {.what = REDUCE_EXTREMA}, {.what = REDUCE_ALL, .difference = true}};
    (void)in;
    *(ReduceJob *)job = examples[index];
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const Shape in = stage->in[0].shape;
    features->axes[0] = log2((double)in.width * (double)in.height) / 4;
    snprintf(features->kind, sizeof features->kind, "%sx%d %x%s", pixel_type_name(in.type), in.channels,
             reduce_job(stage)->what, reduce_job(stage)->difference ? " differences" : "");
}

static const OpParts parts = {.join = join, .joins = joins};

const Op op_reduce = {
    .name = "reduce",
    .help = "adds up the values of each channel, and finds the smallest and the largest",
    .inputs = 2,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(ReduceJob),
    .shape = shape,
    .parts = &parts,
    .needs = needs_whole,
    .cost = cost,
    .compare = totals_compare,
    .describe = describe,
    .example = example,
    .example_count = 4,
    .features = features,
};
