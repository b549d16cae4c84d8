/* convolve.c: the needs, costs and tolerances of a convolution. */
#include "core/ops/convolve.h"

#include "core/math/pcg.h"
#include "core/stage/op_parts.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

enum { TRANSFORMED_MIN = 36 }; /* weights: fewer are summed faster than they are transformed */

static void job_free(void *job) {
    mask_destroy(&((ConvolveJob *)job)->mask);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "convolve: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const ConvolveJob *convolve = job;
    return window_needs(convolve->border.mode, out, in[k], convolve->mask->width, convolve->mask->height);
}

static Cost cost(const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  2.0 * mask->width * mask->height * (double)out.width * (double)out.height * out.channels};
}

/* A sum of which a value is NaN or infinity is one of both, whichever. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const ConvolveJob *job = convolve_job(stage);
    const double max = fmax(max_in, fabs((double)job->border.value));
    return verdict_of_sums(want, got, 2e-6 * (mask_absolute_sum(job->mask) * max + fabs((double)job->bias)));
}

/* The mask is the lesser part of the values that a transform of a common length spans. All divide the rows of common
 * pictures. */
size_t convolve_rows_together(const ConvolveJob *job) {
    const Mask *mask = job->mask;
    if (mask->width * mask->height < TRANSFORMED_MIN || mask_separable(mask))
        return 1;
    return mask->height <= 41 ? 120 : mask->height <= 77 ? 180 : 360;
}

static size_t rows_together(const void *job) {
    return convolve_rows_together(job);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const ConvolveJob *convolve = job;
    char border[32], bias[32] = "";
    if (fpclassify(convolve->bias) != FP_ZERO)
        snprintf(bias, sizeof bias, ", bias %g", (double)convolve->bias);
    return (size_t)snprintf(buffer, size, "%dx%d, border %s%s", convolve->mask->width, convolve->mask->height,
                            border_format(convolve->border, border, sizeof border), bias);
}

/* A dense mask whose weights sum to 1, and an outer product. */
enum { EXAMPLES = 2 };

static Status example(size_t index, Shape in, void *job) {
    ConvolveJob *convolve = job;
    Pcg pcg = pcg_seed(7, index);
    (void)in;
    *convolve = (ConvolveJob){.border = {BORDER_CLAMP, 0}};
    if (index > 0)
        return mask_gaussian(2, 0, &convolve->mask);
    TRY(mask_create(5, 5, &convolve->mask));
    for (int i = 0; i < 5 * 5; i++)
        convolve->mask->weights[i] = pcg_float(&pcg);
    convolve->mask->divisor = (float)mask_sum(convolve->mask);
    return STATUS_OK;
}

/* As levels tell masks apart: weights that are all equal are counted once, outer products take two passes. */
static void features(const Stage *stage, Features *features) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape in = stage->in[0].shape;
    const int count = mask->width * mask->height;
    int equal = 1;
    while (equal < count && !(mask->weights[equal] < mask->weights[0] || mask->weights[equal] > mask->weights[0]))
        equal++;
    const bool product = equal == count || mask_separable(mask);
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(in.type),
             in.channels == 2 ? 4 : in.channels,
             equal == count ? "equal"
             : product      ? "product"
                            : "dense");
    features->axes[1] = log2(product ? (mask->width + mask->height) / 2.0 : sqrt(count));
}

static const OpParts parts = {.rows_together = rows_together};

const Op op_convolve = {
    .name = "convolve",
    .help = "each pixel becomes a weighted sum of its neighbours",
    .inputs = 1,
    .job_bytes = sizeof(ConvolveJob),
    .job_free = job_free,
    .shape = shape,
    .parts = &parts,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = EXAMPLES,
    .features = features,
};
