/* denoise.c: the needs, costs and tolerances of denoising. */
#include "core/ops/denoise.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <stdio.h>

#define LOG2_E 1.4426950408889634

DenoiseJob denoise_film_job(void) {
    return (DenoiseJob){.film = true,
                        .iterations = DENOISE_ITERATIONS,
                        .normal = DENOISE_NORMAL,
                        .depth = DENOISE_DEPTH,
                        .light = DENOISE_LIGHT,
                        .normal_scale = 1,
                        .albedo_scale = 1};
}

DenoiseRule denoise_rule(const DenoiseJob *job) {
    return (DenoiseRule){
        .normal = (float)(LOG2_E / (job->normal * job->normal)),
        .depth = (float)(job->depth * job->depth / LOG2_E),
        .slope = (float)(1 / LOG2_E),
        .light = (float)(job->light * job->light / LOG2_E),
        .equal = (float)((double)DENOISE_EQUAL / LOG2_E),
    };
}

DenoiseViews denoise_views(const Stage *stage) {
    const DenoiseJob *job = denoise_job(stage);
    const Shape shape = stage->out.shape;
    const size_t step = job->coarseness > 1 ? (size_t)job->coarseness : 1;
    DenoiseViews views = {.light = stage->in[0],
                          .width = (shape.width + step - 1) / step,
                          .height = (shape.height + step - 1) / step,
                          .step = step};
    if (job->film) {
        views.less = stage->in[2];
        views.normals = view_crop(stage->in[1], 0, 0, shape.width, shape.height);
        views.albedo = view_crop(stage->in[1], 0, shape.height, shape.width, shape.height);
    } else {
        views.normals = job->guides > 0 ? stage->in[1] : (ImageView){.stride = 0};
        views.albedo = job->guides > 1 ? stage->in[2] : (ImageView){.stride = 0};
    }
    return views;
}

int denoise_reach(const DenoiseJob *job) {
    const int pixels = 2 * ((1 << job->iterations) - 1) + 3; /* the first estimate's two, and a slope's one */
    return pixels * (job->coarseness > 1 ? job->coarseness : 1);
}

static int inputs_of(const void *job) {
    const DenoiseJob *denoise = job;
    return denoise->film ? 3 : 1 + denoise->guides;
}

static Status check_input(const char *what, Shape shape, Shape want, int channels) {
    return shape.width == want.width && shape.height == want.height && shape.channels >= channels &&
                   shape.type == PIXEL_F32
               ? STATUS_OK
               : fail(STATUS_INPUT, "denoise: %s is %zux%zu %sx%d, want %zux%zu f32x%d", what, shape.width,
                      shape.height, pixel_type_name(shape.type), shape.channels, want.width, want.height, channels);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const DenoiseJob *denoise = job;
    if (in[0].type != PIXEL_F32 || type != PIXEL_F32)
        return fail(STATUS_USAGE, "denoise: it works on f32, not %s", pixel_type_name(in[0].type));
    *out = in[0];
    if (denoise->film) {
        TRY(check_input("the film", in[0], in[0], 4));
        TRY(check_input("the picture of the film's surfaces", in[1],
                        (Shape){in[0].width, 2 * in[0].height, 4, PIXEL_F32}, 4));
        return check_input("the earlier film", in[2], in[0], 4);
    }
    if (denoise->guides > 1 && in[0].channels < 3)
        return fail(STATUS_INPUT, "denoise: albedo belongs to pictures with colours, and this one is gray");
    if (denoise->guides > 0)
        TRY(check_input("the picture of normals", in[1], in[0], 3));
    return denoise->guides > 1 ? check_input("the albedo", in[2], in[0], 3) : STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    const int side = 2 * denoise_reach(job) + 1;
    if (((const DenoiseJob *)job)->film && k == 1) /* two pictures, one above the other */
        return (Region){0, 0, in[k].width, in[k].height};
    return window_needs(BORDER_CLAMP, out, in[k], side, side);
}

/* For each neighbour of each iteration, and of the first estimate: eleven differences, as many products, an exponential
 * counted as eight, and six sums. */
static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape);
    return (Cost){bytes, 25.0 * (1 + denoise_job(stage)->iterations) * 44 * (double)out.width * (double)out.height};
}

/* The tolerance is a share of the largest irradiance there can be. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const DenoiseJob *job = denoise_job(stage);
    const double bright = max_in / (job->film ? (double)DENOISE_FEWEST : 1);
    return verdict_of(want, got, 2e-6 * bright / (job->film || job->guides > 1 ? (double)DENOISE_DARK : 1));
}

static size_t describe(const void *job, char *buffer, size_t size) {
    static const char *const guides[] = {"no guides", "normals", "normals and albedo"};
    const DenoiseJob *denoise = job;
    return (size_t)snprintf(buffer, size, "%s, %d iterations, light %g",
                            denoise->film ? "film" : guides[denoise->guides], denoise->iterations, denoise->light);
}

static const struct {
    bool film;
    int guides, iterations, coarseness;
    double light;
} examples[] = {
    {true, 0, DENOISE_ITERATIONS, 1, DENOISE_LIGHT},
    {false, 0, 3, 1, 1},
    {false, 1, 4, 1, 6},
    {false, 2, 5, 1, 2},
    {true, 0, 2, 3, 3},
    {false, 2, 1, 2, 9},
    {true, 0, 6, 1, 1},
};

/* Normals of noise are far apart. */
static Status example(size_t index, Shape in, void *job) {
    if (in.type != PIXEL_F32)
        return fail(STATUS_USAGE, "denoise works on f32, as in --type f32x4, not %sx%d", pixel_type_name(in.type),
                    in.channels);
    if (in.channels < 4 && examples[index].film)
        return fail(STATUS_USAGE, "denoise: film is f32x4, not f32x%d", in.channels);
    if (in.channels < 3 && examples[index].guides > 1)
        return fail(STATUS_USAGE, "denoise: albedo belongs to pictures with colours, not f32x%d", in.channels);
    *(DenoiseJob *)job = (DenoiseJob){.film = examples[index].film,
                                      .guides = examples[index].guides,
                                      .iterations = examples[index].iterations,
                                      .coarseness = examples[index].coarseness,
                                      .normal = 1,
                                      .depth = 0.5,
                                      .light = examples[index].light,
                                      .normal_scale = 1,
                                      .albedo_scale = 1};
    return STATUS_OK;
}

static Shape example_input(size_t index, int k, Shape picture) {
    if (examples[index].film)
        return k == 1 ? (Shape){picture.width, 2 * picture.height, 4, PIXEL_F32} : picture;
    return k == 0 ? picture : (Shape){picture.width, picture.height, k == 1 && index % 2 ? 4 : 3, PIXEL_F32};
}

const Op op_denoise = {
    .name = "denoise",
    .help = "light smoothed as far as its variance, and its surfaces' normals, depth and albedo, allow",
    .inputs = 3,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(DenoiseJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
    .example_input = example_input,
    .pixels = "f32x4",
};
