/* resample.c: kernels, tables of weights, and the needs and costs of resampling. */
#include "core/ops/resample.h"

#include "core/image/shape.h"
#include "core/stage/op_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const resample_kernels[RESAMPLE_KERNELS] = {"nearest", "box", "linear", "cubic", "mitchell", "lanczos"};

static double box(double x) {
    return x > -0.5 && x <= 0.5 ? 1 : 0;
}

static double linear(double x) {
    return fmax(1 - fabs(x), 0);
}

/* Mitchell and Netravali, Reconstruction Filters in Computer Graphics, SIGGRAPH 1988, formula 8. */
static double cubic_by(double b, double c, double x) {
    x = fabs(x);
    if (x < 1)
        return (((12 - 9 * b - 6 * c) * x + (-18 + 12 * b + 6 * c)) * x * x + 6 - 2 * b) / 6;
    return x < 2 ? ((((-b - 6 * c) * x + 6 * b + 30 * c) * x - 12 * b - 48 * c) * x + 8 * b + 24 * c) / 6 : 0;
}

static double cubic(double x) {
    return cubic_by(0, 0.5, x);
}
static double mitchell(double x) {
    return cubic_by(1 / 3.0, 1 / 3.0, x);
}

static double sinc(double x) {
    return fabs(x) > 0 ? sin(M_PI * x) / (M_PI * x) : 1;
}
static double lanczos(double x) {
    return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

static const struct {
    double (*at)(double x);
    double support; /* it is 0 farther away, in result pixels where the picture shrinks, else in input pixels */
} kernels[RESAMPLE_KERNELS] = {
    [RESAMPLE_BOX] = {box, 0.5},         [RESAMPLE_LINEAR] = {linear, 1},   [RESAMPLE_CUBIC] = {cubic, 2},
    [RESAMPLE_MITCHELL] = {mitchell, 2}, [RESAMPLE_LANCZOS] = {lanczos, 3},
};

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

bool resample_axis_equal(const ResampleAxis *a, const ResampleAxis *b) {
    return a->count == b->count && a->scale <= b->scale && a->scale >= b->scale && a->offset <= b->offset &&
           a->offset >= b->offset && a->whole == b->whole && a->begin == b->begin && a->from == b->from;
}

/* In all of the input, so that a part's results have the same weights. */
static double centre_of(const ResampleAxis *axis, size_t i) {
    return axis->offset + ((double)(i + axis->begin) + 0.5) * axis->scale;
}
static size_t whole_of(const ResampleAxis *axis, size_t n) {
    return axis->whole > 0 ? axis->whole : n;
}
static double widening(const ResampleAxis *axis) {
    return fmax(axis->scale, 1);
}

int resample_taps(ResampleKernel kernel, const ResampleAxis *axis, size_t n) {
    const double span = ceil(2 * kernels[kernel].support * widening(axis) - 1e-9);
    return (int)clamp(span, 1, (double)whole_of(axis, n));
}

/* The first pixel whose centre is in the kernel's reach. */
static double first_of(ResampleKernel kernel, const ResampleAxis *axis, size_t i) {
    const double centre = centre_of(axis, i);
    return kernel == RESAMPLE_NEAREST ? floor(centre) : floor(centre - kernels[kernel].support * widening(axis) + 0.5);
}

static void weigh(ResampleKernel kernel, const ResampleAxis *axis, size_t n, size_t i, ResampleTable *table) {
    const double centre = centre_of(axis, i), support = kernels[kernel].support * widening(axis);
    const double first = clamp(first_of(kernel, axis, i), 0, (double)whole_of(axis, n) - table->taps);
    double *weights = table->weights + i * (size_t)table->taps, sum = 0;
    for (int k = 0; k < table->taps; k++) {
        const double at = first + k;
        const bool within = at >= floor(centre - support + 0.5) && at < floor(centre + support + 0.5);
        weights[k] = kernel == RESAMPLE_NEAREST ? 1
                     : within                   ? kernels[kernel].at((at + 0.5 - centre) / widening(axis))
                                                : 0;
        sum += weights[k];
    }
    table->first[i] = (int32_t)clamp(first - (double)axis->from, 0, (double)n - table->taps);
    for (int k = 0; k < table->taps; k++) {
        weights[k] = fabs(sum) > 0 ? weights[k] / sum : 0;
        table->floats[i * (size_t)table->taps + (size_t)k] = (float)weights[k];
    }
}

Status resample_table_create(ResampleKernel kernel, const ResampleAxis *axis, size_t n, ResampleTable *table) {
    *table = (ResampleTable){.count = axis->count, .taps = resample_taps(kernel, axis, n)};
    const size_t weights = axis->count * (size_t)table->taps;
    table->first = calloc(axis->count, sizeof *table->first);
    table->weights = calloc(weights, sizeof *table->weights);
    table->floats = calloc(weights, sizeof *table->floats);
    if (!table->first || !table->weights || !table->floats) {
        resample_table_free(table);
        return fail(STATUS_DEVICE, "no memory for the weights of a resampling");
    }
    for (size_t i = 0; i < axis->count; i++)
        weigh(kernel, axis, n, i, table);
    return STATUS_OK;
}

void resample_table_free(ResampleTable *table) {
    free(table->first);
    free(table->weights);
    free(table->floats);
    *table = (ResampleTable){0};
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const ResampleJob *resample = job;
    if (type != in[0].type)
        return fail(STATUS_USAGE, "resample: %s cannot be stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    if (resample->x.count > INT32_MAX || resample->y.count > INT32_MAX)
        return fail(STATUS_USAGE, "resample: a side of %zu pixels, want at most %d",
                    resample->x.count > resample->y.count ? resample->x.count : resample->y.count, INT32_MAX);
    *out = in[0];
    out->width = resample->x.count;
    out->height = resample->y.count;
    return shape_exists(*out);
}

/* The pixels, of `n`, that `count` results from `first` on need. */
static void reach(ResampleKernel kernel, const ResampleAxis *axis, size_t n, ptrdiff_t first, size_t count,
                  ptrdiff_t *low, size_t *size) {
    const int taps = resample_taps(kernel, axis, n);
    const double max = (double)whole_of(axis, n) - taps, from = (double)axis->from;
    const double low_at = clamp(first_of(kernel, axis, (size_t)first), 0, max) - from;
    const double end = clamp(first_of(kernel, axis, (size_t)first + count - 1), 0, max) + taps - from;
    *low = (ptrdiff_t)clamp(low_at, 0, (double)n - 1);
    *size = (size_t)(clamp(end, (double)*low + 1, (double)n) - (double)*low);
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const ResampleJob *resample = job;
    Region region;
    reach(resample->kernel, &resample->x, in[k].width, out.left, out.width, &region.left, &region.width);
    reach(resample->kernel, &resample->y, in[k].height, out.top, out.height, &region.top, &region.height);
    return region;
}

static void cut(void *job, Shape picture, size_t rows) {
    ResampleJob *resample = job;
    resample->y.whole = picture.height;
    resample->y.count = rows;
}

static void place(void *job, const PartPlace *part) {
    ResampleJob *resample = job;
    resample->y.begin = part->top;
    resample->y.from = part->from;
}

/* Two passes, in the order that takes fewer products. */
static Cost cost(const Stage *stage) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const double across = resample_taps(job->kernel, &job->x, in.width);
    const double down = resample_taps(job->kernel, &job->y, in.height);
    const double results = (double)out.width * (double)out.height;
    const double rows_first = (double)out.width * (double)in.height * across + results * down;
    const double columns_first = (double)in.width * (double)out.height * down + results * across;
    return (Cost){(double)shape_bytes(in) + (double)shape_bytes(out),
                  2 * fmin(rows_first, columns_first) * out.channels};
}

/* The largest sum of |weights| along the axis. */
static double gain(ResampleKernel kernel, const ResampleAxis *axis, size_t n) {
    ResampleTable table;
    double max = 1;
    if (resample_table_create(kernel, axis, n, &table) != STATUS_OK)
        return max;
    for (size_t i = 0; i < table.count; i++) {
        double sum = 0;
        for (int k = 0; k < table.taps; k++)
            sum += fabs(table.weights[i * (size_t)table.taps + (size_t)k]);
        max = fmax(max, sum);
    }
    resample_table_free(&table);
    return max;
}

/* Pixel i counts from its centre, as i + 1/2 from the edge of the first. */
static Origin origin(const void *job, const Shape in[STAGE_INPUTS], Homography *map) {
    const ResampleJob *resample = job;
    const ResampleAxis *x = &resample->x, *y = &resample->y;
    (void)in;
    *map = (Homography){{x->scale, 0, resample_offset(x) + x->scale / 2 - 0.5, 0, y->scale,
                         resample_offset(y) + y->scale / 2 - 0.5, 0, 0, 1}};
    return ORIGIN_EXACT;
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    const double gains = gain(job->kernel, &job->x, in.width) * gain(job->kernel, &job->y, in.height);
    return verdict_of(want, got, 2e-6 * gains * max_in);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const ResampleJob *resample = job;
    return (size_t)snprintf(buffer, size, "%s to %zux%zu, scale %g, %g", resample_kernels[resample->kernel],
                            resample->x.count, resample->y.count, resample->x.scale, resample->y.scale);
}

/* bench times the first: half the size. Sixths give sums that lie halfway between two bytes. */
static const struct {
    ResampleKernel kernel;
    double across, down, offset; /* result pixels per input pixel; in input pixels */
} examples[] = {
    {RESAMPLE_LANCZOS, 0.5, 0.5, 0},     {RESAMPLE_LANCZOS, 1.7, 1.7, 0},  {RESAMPLE_NEAREST, 0.37, 2.6, 0},
    {RESAMPLE_BOX, 1.0 / 6, 1.0 / 3, 0}, {RESAMPLE_LINEAR, 6, 3.3, 0},     {RESAMPLE_CUBIC, 0.05, 0.7, 0},
    {RESAMPLE_MITCHELL, 1, 1, 0.3},      {RESAMPLE_LANCZOS, 0.001, 9, -4}, {RESAMPLE_CUBIC, 0.5, 1, 0},
};

static ResampleAxis example_axis(size_t n, double factor, double offset) {
    const double count = fmax(nearbyint((double)n * factor), 1);
    return (ResampleAxis){.count = (size_t)count, .scale = (double)n / count, .offset = offset};
}

static Status example(size_t index, Shape in, void *job) {
    const double offset = examples[index].offset;
    *(ResampleJob *)job = (ResampleJob){examples[index].kernel, example_axis(in.width, examples[index].across, offset),
                                        example_axis(in.height, examples[index].down, offset)};
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(in.type), in.channels,
             job->kernel == RESAMPLE_NEAREST ? "copied" : "weighed");
    features->axes[1] = log2((double)resample_taps(job->kernel, &job->x, in.width) *
                             (double)resample_taps(job->kernel, &job->y, in.height)) /
                        2;
}

static const OpParts parts = {.cut = cut, .place = place};

const Op op_resample = {
    .name = "resample",
    .help = "a picture at another size: each pixel becomes a weighted mean of the pixels around its place",
    .inputs = 1,
    .job_bytes = sizeof(ResampleJob),
    .shape = shape,
    .parts = &parts,
    .needs = needs,
    .origin = origin,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
    .features = features,
};
