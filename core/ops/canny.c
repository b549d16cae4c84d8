/* canny.c: what edges need and cost; they agree everywhere. */
#include "core/ops/canny.h"

#include "core/border.h"
#include "core/op.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    if (type != in[0].type)
        return fail(STATUS_USAGE, "canny: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    if (((const CannyJob *)job)->alpha && !shape_has_alpha(in[0]))
        return fail(STATUS_USAGE, "canny: there is no alpha among %d channels", in[0].channels);
    *out = in[0];
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  (14.0 * out.channels + 10) * (double)out.width * (double)out.height};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const CannyJob *canny = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "low %g, high %g, border %s", canny->low, canny->high,
                            border_format(canny->border, border, sizeof border));
}

/* Thresholds by white; noise has many peaks, of which the second leaves long chains. */
static const struct {
    double low, high;
    Border border;
    bool alike;
} examples[] = {
    {1.5, 2.5, {BORDER_CLAMP, 0}, false},
    {0.5, 4.5, {BORDER_MIRROR, 0}, true},
    {3, 3, {BORDER_CONSTANT, 0.5F}, false},
    {1, 4, {BORDER_WRAP, 0}, false},
};

static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    *(CannyJob *)job = (CannyJob){examples[index].low * white, examples[index].high * white, white,
                                  shape_has_alpha(in) && !examples[index].alike, examples[index].border};
    return STATUS_OK;
}

const Op op_canny = {
    .name = "canny",
    .help = "pixels on thin edges become white, all others black",
    .inputs = 1,
    .job_bytes = sizeof(CannyJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
