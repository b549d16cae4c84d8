/* rank.c: the needs and costs of the operation rank. */
#include "core/ops/rank.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static void job_free(void *job) {
    mask_destroy(&((RankJob *)job)->window);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const RankJob *rank = job;
    const int count = element_count(rank->window);
    if (type != in[0].type)
        return fail(STATUS_USAGE, "rank: values stay %s, and are not stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    if (rank->rank < 0 || rank->rank >= count)
        return fail(STATUS_USAGE, "rank: no rank %d among %d values", rank->rank, count);
    *out = in[0];
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const RankJob *rank = job;
    return window_needs(rank->border.mode, out, in[k], rank->window->width, rank->window->height);
}

/* A sort of n values: n log2 n comparisons, and as many moves. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    const double count = element_count(rank_job(stage)->window);
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  2 * count * log2(count + 1) * (double)out.width * (double)out.height * out.channels};
}

/* Nothing is rounded. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const RankJob *rank = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "rank %d of %d in %s%dx%d, border %s", rank->rank,
                            element_count(rank->window), element_is_box(rank->window) ? "" : "a part of ",
                            rank->window->width, rank->window->height,
                            border_format(rank->border, border, sizeof border));
}

/* Each a window as text, or by its radius; a rank, or -1 for the median. */
static const struct Example {
    const char *window;
    int radius, rank;
    bool disk;
    Border border;
} examples[] = {
    {.radius = 1, .rank = -1, .border = {BORDER_CLAMP, 0}},
    {.radius = 2, .rank = -1, .border = {BORDER_MIRROR, 0}},
    {.radius = 3, .rank = -1, .border = {BORDER_WRAP, 0}},
    {.radius = 4, .rank = -1, .border = {BORDER_ZERO, 0}},
    {.radius = 1, .rank = 2, .border = {BORDER_CONSTANT, 76.5F}},
    {.radius = 2, .rank = 20, .border = {BORDER_CLAMP, 0}},
    {.radius = 8, .rank = -1, .border = {BORDER_MIRROR, 0}},
    {.radius = 3, .rank = -1, .disk = true, .border = {BORDER_CLAMP, 0}},
    {.window = "1101 0111", .rank = 1, .border = {BORDER_MIRROR, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    const struct Example *from = &examples[index];
    RankJob *rank = job;
    (void)in;
    *rank = (RankJob){.border = from->border};
    TRY(from->window ? element_parse(from->window, &rank->window)
        : from->disk ? element_disk(from->radius, &rank->window)
                     : element_box(from->radius, &rank->window));
    rank->rank = from->rank < 0 ? element_count(rank->window) / 2 : from->rank;
    return STATUS_OK;
}

/* As levels tell jobs apart: medians of squares have networks. */
static void features(const Stage *stage, Features *features) {
    const RankJob *job = rank_job(stage);
    const int count = element_count(job->window);
    const bool square = element_is_box(job->window) && job->window->width == job->window->height;
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(stage->in[0].shape.type),
             stage->in[0].shape.channels,
             square && job->rank == count / 2 ? "median"
             : element_is_box(job->window)    ? "box"
                                              : "element");
    features->axes[1] = log2(sqrt(count));
}

const Op op_rank = {
    .name = "rank",
    .help = "each value becomes the one of a given rank among its neighbours",
    .inputs = 1,
    .chooses = true,
    .job_bytes = sizeof(RankJob),
    .job_free = job_free,
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
    .features = features,
};
