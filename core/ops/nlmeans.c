/* nlmeans.c: the needs, costs and tolerances of non-local means. */
#include "core/ops/nlmeans.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

double nlmeans_slope(const NlmeansJob *job, int channels) {
    const double side = 2.0 * job->patch + 1;
    return -1.4426950408889634 / (job->h * job->h * side * side * channels);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "nlmeans: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const NlmeansJob *nlmeans = job;
    const int side = 2 * (nlmeans->search + nlmeans->patch) + 1;
    return window_needs(nlmeans->border.mode, out, in[k], side, side);
}

/* Each neighbour costs a squared difference a channel, running sums along a row and a column, an exponential counted as
 * eight, and the means. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    const double side = 2.0 * nlmeans_job(stage)->search + 1;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  side * side * (4.0 * out.channels + 14) * (double)out.width * (double)out.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)nlmeans_job(stage)->border.value)));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const NlmeansJob *nlmeans = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "patch %d, search %d, h %g, border %s", nlmeans->patch, nlmeans->search,
                            nlmeans->h, border_format(nlmeans->border, border, sizeof border));
}

static const struct {
    int patch, search;
    double h; /* of white */
    Border border;
} examples[] = {
    {1, 3, 0.1, {BORDER_CLAMP, 0}}, {2, 1, 0.3, {BORDER_MIRROR, 0}}, {3, 2, 0.2, {BORDER_CONSTANT, 0.7F}},
    {1, 2, 0.05, {BORDER_WRAP, 0}}, {3, 5, 0.1, {BORDER_MIRROR, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    *(NlmeansJob *)job = (NlmeansJob){examples[index].patch, examples[index].search,
                                      examples[index].h * pixel_type_white(in.type), examples[index].border};
    return STATUS_OK;
}

const Op op_nlmeans = {
    .name = "nlmeans",
    .help = "each pixel becomes a mean of pixels with similar surroundings",
    .inputs = 1,
    .job_bytes = sizeof(NlmeansJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
