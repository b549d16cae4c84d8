/* morphology.c: the needs and costs of the operation morphology. */
#include "core/ops/morphology.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static void job_free(void *job) {
    mask_destroy(&((MorphologyJob *)job)->element);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    if (type != in[0].type)
        return fail(STATUS_USAGE, "morphology: values stay %s, and are not stored as %s", pixel_type_name(in[0].type),
                    pixel_type_name(type));
    if (element_count(((const MorphologyJob *)job)->element) == 0)
        return fail(STATUS_USAGE, "morphology: the structuring element is empty");
    *out = in[0];
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const MorphologyJob *morphology = job;
    return window_needs(morphology->border.mode, out, in[k], morphology->element->width, morphology->element->height);
}

/* A comparison for each cell. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  (double)element_count(morphology_job(stage)->element) * (double)out.width * (double)out.height *
                      out.channels};
}

/* Nothing is rounded. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    (void)stage, (void)max_in;
    Verdict verdict = verdict_count(want, got);
    verdict.agrees = verdict.differing == 0;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const MorphologyJob *morphology = job;
    char border[32];
    return (size_t)snprintf(buffer, size, "%s of %s%dx%d, border %s", morphology->maximum ? "maximum" : "minimum",
                            element_is_box(morphology->element) ? "" : "a part of ", morphology->element->width,
                            morphology->element->height, border_format(morphology->border, border, sizeof border));
}

static const struct Example {
    const char *element;
    int radius;
    bool disk, maximum;
    Border border;
} examples[] = {
    {.radius = 3, .border = {BORDER_CLAMP, 0}},
    {.radius = 1, .maximum = true, .border = {BORDER_MIRROR, 0}},
    {.radius = 17, .maximum = true, .border = {BORDER_WRAP, 0}},
    {.radius = 37, .border = {BORDER_MIRROR, 0}},
    {.element = "11111", .border = {BORDER_CONSTANT, 76.5F}},
    {.element = "1111 1111 1111 1111 1111 1111", .maximum = true, .border = {BORDER_CLAMP, 0}},
    {.radius = 5, .disk = true, .border = {BORDER_CLAMP, 0}},
    {.element = "0110101 1000001 1111101 0000000", .maximum = true, .border = {BORDER_ZERO, 0}},
};

static Status example(size_t index, Shape in, void *job) {
    const struct Example *from = &examples[index];
    MorphologyJob *morphology = job;
    (void)in;
    *morphology = (MorphologyJob){.maximum = from->maximum, .border = from->border};
    return from->element ? element_parse(from->element, &morphology->element)
           : from->disk  ? element_disk(from->radius, &morphology->element)
                         : element_box(from->radius, &morphology->element);
}

static void features(const Stage *stage, Features *features) {
    const Mask *element = morphology_job(stage)->element;
    snprintf(features->kind, sizeof features->kind, "%sx%d %s", pixel_type_name(stage->in[0].shape.type),
             stage->in[0].shape.channels, element_is_box(element) ? "box" : "element");
    features->axes[1] = log2(sqrt(element_count(element)));
}

const Op op_morphology = {
    .name = "morphology",
    .help = "each value becomes the minimum or maximum under a structuring element",
    .inputs = 1,
    .chooses = true,
    .job_bytes = sizeof(MorphologyJob),
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
