/* point.c: the functions as a table, and the costs of a program of them. */
#include "core/ops/point.h"

#include "core/math/pcg.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const PointInfo points[POINT_FUNCTIONS] = {
#define POINT(name, inputs, reach, alpha, help, body) {#name, help, inputs, POINT_##reach},
#include "core/stage/point.def"
#undef POINT
};

PointJob point_single(PointFunction function, double white, const double *parameters, int count, PixelType type) {
    PointJob job = {.count = 1, .pool_count = count, .steps = {{.function = function, .type = type, .white = white}}};
    for (int k = 1; k < STAGE_INPUTS; k++) {
        job.steps[0].reads[k] = k < points[function].inputs ? k : 0;
        job.steps[0].scale[k] = 1;
    }
    for (int i = 0; i < count; i++)
        job.pool[i] = parameters[i];
    return job;
}

int point_value_steps(const PointJob *job, int first, int channels) {
    const PointReach max = channels < 3 ? POINT_COLOUR : POINT_VALUE;
    int count = 0;
    while (first + count < job->count && points[job->steps[first + count].function].reach <= max)
        count++;
    return count;
}

double point_value(const PointJob *job, int first, int count, double v) {
    const PointPixel none = {0};
    for (int i = first; i < first + count; i++)
        point_step(job, i, &none, 1, &v);
    return v;
}

double point_alpha(const PointJob *job, int first, int count, double v) {
    for (int i = first; i < first + count; i++)
        v = point_stored(v, job->steps[i].type);
    return v;
}

/* Functions whose results never fall as the value rises, and that take long to compute. */
static const bool rises[POINT_FUNCTIONS] = {[POINT_from_linear] = true};

bool point_rises(const PointJob *job, int index, PixelType from) {
    return rises[job->steps[index].function] && from == PIXEL_F32 && job->steps[index].type == PIXEL_U8;
}

/* One step of a program. */
typedef struct StepOf {
    const PointJob *job;
    int index;
} StepOf;

static double step_value(const void *context, double v) {
    const StepOf *of = context;
    const PointPixel none = {0};
    point_step(of->job, of->index, &none, 1, &v);
    return v;
}

Status point_stairs(const PointJob *job, int index, Stairs *stairs) {
    return stairs_create(step_value, &(StepOf){job, index}, stairs);
}

/* How many inputs the steps read. */
static int inputs_of(const void *job) {
    const PointJob *point = job;
    int inputs = 1;
    for (int i = 0; i < point->count; i++)
        for (int k = 1; k < points[point->steps[i].function].inputs; k++)
            inputs = point->steps[i].reads[k] >= inputs ? point->steps[i].reads[k] + 1 : inputs;
    return inputs;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const PointJob *point = job;
    const char *name = points[point->steps[0].function].name;
    int channels = in[0].channels;
    for (int k = 1; k < inputs_of(job); k++)
        if (in[k].width != in[0].width || in[k].height != in[0].height || in[k].channels != in[0].channels)
            return fail(STATUS_INPUT, "%s: its second image is %zux%zu with %d channels, want %zux%zu with %d", name,
                        in[k].width, in[k].height, in[k].channels, in[0].width, in[0].height, in[0].channels);
    for (int i = 0; i < point->count; i++) {
        const PointStep *step = &point->steps[i];
        if (step->channels < 0 || step->channels > channels)
            return fail(STATUS_USAGE, "%s: %d channels of %d cannot be stored", points[step->function].name,
                        step->channels, channels);
        channels = step->channels > 0 ? step->channels : channels;
    }
    if (point->steps[point->count - 1].type != type)
        return fail(STATUS_USAGE, "%s: its last step makes %s, which cannot be stored as %s", name,
                    pixel_type_name(point->steps[point->count - 1].type), pixel_type_name(type));
    *out = shape_with_type(in[0], type);
    out->channels = channels;
    return STATUS_OK;
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    double bytes = (double)shape_bytes(out);
    for (int k = 0; k < STAGE_INPUTS; k++)
        bytes += (double)shape_bytes(stage->in[k].shape); /* 0 where there is none */
    return (Cost){bytes, (double)out.width * (double)out.height * out.channels * point_job(stage)->count};
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    return verdict_of(want, got, 2e-6 * fmax(max_in, point_job(stage)->steps[0].white));
}

/* "premultiply"; of a program "to_linear f32, matrix f32, from_linear". */
static size_t describe(const void *job, char *buffer, size_t size) {
    const PointJob *point = job;
    size_t length = 0;
    for (int i = 0; i < point->count; i++) {
        const bool last = i + 1 == point->count;
        length += (size_t)snprintf(length < size ? buffer + length : NULL, length < size ? size - length : 0,
                                   last ? "%s" : "%s %s, ", points[point->steps[i].function].name,
                                   pixel_type_name(point->steps[i].type));
    }
    return length;
}

/* Parameters that make sense for every function: a matrix of any numbers, a curve through 1 knot, levels. */
static const double example_parameters[] = {1, 0.25, 0.5, 0.125, 0.0625, -0.25, 1.5, 0.375, 0, 0.5, 0.25, 0.75, 0.125};

enum {
    PROGRAMS = 6,
    EXAMPLE_PARAMETERS = sizeof example_parameters / sizeof example_parameters[0],
};

/* Some functions of one input after one another, stored as any types in between. */
static PointJob example_program(size_t index, PixelType type) {
    Pcg pcg = pcg_seed(11, index);
    const double white = pixel_type_white(type);
    PointJob job = point_single(POINT_convert, white, example_parameters, EXAMPLE_PARAMETERS, type);
    job.count = 2 + (int)(index * 3 % (POINT_STEPS - 2));
    for (int i = 0; i < job.count; i++) {
        const PixelType stored[] = {type, PIXEL_F32, type, type};
        do
            job.steps[i].function = (PointFunction)(pcg_next(&pcg) % POINT_expose);
        while (points[job.steps[i].function].inputs > 1 ||
               (index % 2 == 0 && points[job.steps[i].function].reach != POINT_VALUE));
        job.steps[i].white = white;
        job.steps[i].type = i + 1 < job.count ? stored[pcg_next(&pcg) % 4] : type;
    }
    return job;
}

static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    const PointFunction function = index == 0 ? POINT_grayscale /* bench times this */ : (PointFunction)(index - 1);
    double parameters[EXAMPLE_PARAMETERS];
    memcpy(parameters, example_parameters, sizeof parameters);
    if (function == POINT_light_log || function == POINT_noise_log)
        parameters[function == POINT_light_log ? 2 : 1] = 0x1p20; /* fine steps */
    *(PointJob *)job = index <= POINT_FUNCTIONS ? point_single(function, white, parameters, EXAMPLE_PARAMETERS, in.type)
                                                : example_program(index, in.type);
    return STATUS_OK;
}

static void features(const Stage *stage, Features *features) {
    const PointJob *job = point_job(stage);
    const char *type = pixel_type_name(stage->in[0].shape.type), *name = points[job->steps[0].function].name;
    if (job->count == 1)
        snprintf(features->kind, sizeof features->kind, "%s %s", type, name);
    else
        snprintf(features->kind, sizeof features->kind, "%s %d steps of %s", type, job->count,
                 point_value_steps(job, 0, stage->in[0].shape.channels) == job->count ? "values" : "pixels");
}

const Op op_point = {
    .name = "point",
    .help = "each pixel goes through functions of itself",
    .inputs = STAGE_INPUTS,
    .of_points = true,
    .inputs_of = inputs_of,
    .job_bytes = sizeof(PointJob),
    .shape = shape,
    .needs = needs_same,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = POINT_FUNCTIONS + 1 + PROGRAMS,
    .features = features,
};
