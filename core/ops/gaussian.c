/* gaussian.c: the needs, costs and tolerances of a gaussian of any width. */
#include "core/ops/gaussian.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

int gaussian_reach(double sigma) {
    return (int)ceil(6 * sigma);
}

void gaussian_weights(double sigma, int reach, double *weights) {
    double sum = 0;
    for (int i = -reach; i <= reach; i++)
        sum += weights[i + reach] = i == 0 ? 1 : exp(-0.5 * i * i / (sigma * sigma));
    for (int i = 0; i <= 2 * reach; i++)
        weights[i] /= sum;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    (void)job;
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "gaussian: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const GaussianJob *gaussian = job;
    return window_needs(gaussian->border.mode, out, in[k], 2 * gaussian_reach(gaussian->sigma_x) + 1,
                        2 * gaussian_reach(gaussian->sigma_y) + 1);
}

/* The arithmetic of two passes over all weights. */
static Cost cost(const Stage *stage) {
    const GaussianJob *job = gaussian_job(stage);
    const Shape out = stage->out.shape;
    const double taps = 2.0 * gaussian_reach(job->sigma_x) + 2.0 * gaussian_reach(job->sigma_y) + 2;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  2 * taps * (double)out.width * (double)out.height * out.channels};
}

static bool is_finite(ImageView image, size_t x, size_t y) {
    bool finite = true;
    for (int c = 0; c < image.shape.channels; c++)
        finite &= isfinite(view_value(image, x, y, c)) != 0;
    return finite;
}

/* The operation defines where results are not finite, but not which they are. Where `want` or `got` has such a value,
 * that of `want` counts. A pixel that is not finite stays so: if all of `want` is finite, so was the input. */
static Status pass_over(ImageView want, ImageView *got, Image **copy) {
    bool any = false;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            any |= !is_finite(want, x, y);
    if (!any)
        return STATUS_OK;
    TRY(image_clone(*got, copy));
    *got = (*copy)->view;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < want.shape.channels; c++)
                if (!isfinite(view_value(want, x, y, c)) || !isfinite(view_value(*got, x, y, c)))
                    view_set_value(*got, x, y, c, view_value(want, x, y, c));
    return STATUS_OK;
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    Image *copy = NULL;
    if (want.shape.type == PIXEL_F32 && pass_over(want, &got, &copy) != STATUS_OK)
        return (Verdict){.agrees = false};
    const Verdict verdict = verdict_of(want, got, 2e-6 * fmax(max_in, fabs((double)gaussian_job(stage)->border.value)));
    image_destroy(&copy);
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const GaussianJob *gaussian = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "sigma %g x %g, border %s", gaussian->sigma_x, gaussian->sigma_y,
                            border_format(gaussian->border, border, sizeof border));
}

static const GaussianJob examples[] = {
    {20, 20, {BORDER_CLAMP, 0}}, {9, 200, {BORDER_MIRROR, 0}},   {40, 0, {BORDER_WRAP, 0}},
    {3.2, 5, {BORDER_ZERO, 0}},  {1.2, 14.7, {BORDER_CLAMP, 0}}, {33, 2.3, {BORDER_CONSTANT, 0.7F}},
};

static Status example(size_t index, Shape in, void *job) {
    (void)in;
    *(GaussianJob *)job = examples[index];
    return STATUS_OK;
}

const Op op_gaussian = {
    .name = "gaussian",
    .help = "each pixel becomes a mean weighted by a bell curve of any width",
    .inputs = 1,
    .job_bytes = sizeof(GaussianJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
