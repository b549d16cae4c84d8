/* nbody.c: the needs and costs of bodies that attract each other, and how exact their states must be. */
#include "core/ops/nbody.h"

#include "core/stage/op_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIR_FLOPS = 20 }; /* as the field counts (Nyland, Harris and Prins, GPU Gems 3, 2007) */

static bool is_state(Shape shape) {
    return shape.type == PIXEL_F32 && shape.channels == 4 && shape.height == NBODY_ROWS;
}

static Status check_job(const NbodyJob *job) {
    if (job->steps > NBODY_STEPS_MAX)
        return fail(STATUS_USAGE, "nbody: %u steps, want at most %d", job->steps, NBODY_STEPS_MAX);
    if (!isfinite(job->step) || !isfinite(job->gravity))
        return fail(STATUS_USAGE, "nbody: want a step and a G that are finite, not %g and %g", (double)job->step,
                    (double)job->gravity);
    if (!(job->softening >= 0) || !isfinite(job->softening) || !(job->theta >= 0) || !isfinite(job->theta))
        return fail(STATUS_USAGE, "nbody: want a softening and a theta of 0 or more, not %g and %g",
                    (double)job->softening, (double)job->theta);
    return STATUS_OK;
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    if (!is_state(in[0]))
        return fail(STATUS_USAGE, "nbody: a state is %zux%zu %sx%d, want f32x4 of %d rows", in[0].width, in[0].height,
                    pixel_type_name(in[0].type), in[0].channels, NBODY_ROWS);
    if (in[0].width > NBODY_BODIES_MAX)
        return fail(STATUS_USAGE, "nbody: %zu bodies, want at most %d", in[0].width, NBODY_BODIES_MAX);
    if (type != PIXEL_F32)
        return fail(STATUS_USAGE, "nbody: a state cannot be stored as %s, only as f32", pixel_type_name(type));
    *out = in[0];
    return check_job(job);
}

static Cost cost(const Stage *stage) {
    const double bodies = (double)nbody_count(stage);
    return (Cost){2 * (double)shape_bytes(stage->out.shape),
                  PAIR_FLOPS * bodies * bodies * nbody_evaluations(nbody_job(stage))};
}

/* A cell's first term that a level leaves out is its quadrupole: its part of the acceleration is theta^2 (Barnes and
 * Hut, Nature 324, 1986; Hernquist, ApJS 64, 1987). The factor is an allowance, not a bound. Bodies that fill a cube
 * stay far below it; some hundred that stand in a line may exceed it by half. */
double nbody_tree_error(float theta) {
    return 0.05 * (double)theta * (double)theta;
}

/* The largest difference in some channels of a row, by the largest value there is. */
static double apart(ImageView want, ImageView got, size_t row, int channel, int count, Verdict *verdict) {
    double largest = 0, worst = 0;
    for (size_t i = 0; i < want.shape.width; i++)
        for (int c = channel; c < channel + count; c++) {
            const double a = view_value(want, i, row, c), b = view_value(got, i, row, c);
            const bool alike = a == b || (!isfinite(a) && !isfinite(b));
            verdict->values++;
            verdict->differing += !alike;
            largest = isfinite(a) ? fmax(largest, fabs(a)) : largest;
            worst = alike ? worst : isfinite(a - b) ? fmax(worst, fabs(a - b)) : INFINITY;
        }
    return worst > 0 ? worst / largest : 0;
}

/* The error of sums of N terms of either sign. Each term is a few units in the last place off, as is a place after a
 * drift. */
static double allowed_of(const Stage *stage) {
    return 0x1p-24 * (4 * sqrt((double)nbody_count(stage)) + 64) + nbody_tree_error(nbody_job(stage)->theta);
}

static bool is_finite(ImageView want) {
    for (size_t i = 0; i < want.shape.width; i++)
        for (int c = 0; c < 4; c++)
            if (!isfinite(view_value(want, i, NBODY_ACCELERATIONS, c)))
                return false;
    return true;
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    static const struct {
        size_t row;
        int channel, count;
        bool stays;
    } parts[] = {{NBODY_PLACES, 0, 3, false},        {NBODY_PLACES, 3, 1, true},
                 {NBODY_VELOCITIES, 0, 3, false},    {NBODY_VELOCITIES, 3, 1, true},
                 {NBODY_ACCELERATIONS, 0, 3, false}, {NBODY_ACCELERATIONS, 3, 1, false}};
    Verdict verdict = {.allowed = allowed_of(stage)};
    const bool finite = is_finite(want);
    (void)max_in;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const double worst = apart(want, got, parts[i].row, parts[i].channel, parts[i].count, &verdict);
        if (parts[i].stays || finite)
            verdict.worst = fmax(verdict.worst, parts[i].stays && worst > 0 ? INFINITY : worst);
    }
    verdict.agrees = verdict.worst <= verdict.allowed;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const NbodyJob *nbody = job;
    return (size_t)snprintf(buffer, size, "%u steps of %g, softening %g, theta %g%s", nbody->steps, (double)nbody->step,
                            (double)nbody->softening, (double)nbody->theta, nbody->potential ? ", potential" : "");
}

/* As many bodies as the picture is wide, in a cube of side 1, of a mass that does not grow with them. A step at the
 * common theta; cells all opened; several steps; without softening; a theta that is too large. */
static Status example(size_t index, Shape in, void *job) {
    static const NbodyJob examples[] = {{.steps = 1, .softening = 0.05f, .theta = 0.5f},
                                        {.steps = 0, .softening = 0.05f, .potential = true},
                                        {.steps = 3, .softening = 0.05f, .potential = true},
                                        {.steps = 0, .theta = 0.8f, .potential = true},
                                        {.steps = 2, .softening = 0.02f, .theta = 1.2f}};
    NbodyJob *nbody = job;
    *nbody = examples[index];
    nbody->step = 1.0f / 128;
    nbody->gravity = 1 / (float)in.width;
    return in.channels == 4 && in.type == PIXEL_F32
               ? STATUS_OK
               : fail(STATUS_USAGE, "nbody: want a picture of f32x4 as a state of bodies");
}

static Shape example_input(size_t index, int k, Shape picture) {
    (void)index, (void)k;
    return nbody_shape(picture.width);
}

static void features(const Stage *stage, Features *features) {
    snprintf(features->kind, sizeof features->kind, "bodies");
    features->axes[0] = log2((double)nbody_count(stage)) / 2;
    features->axes[1] = log2(fmax((double)nbody_job(stage)->theta, 0.0625));
}

static double steps(const Stage *stage) {
    return nbody_evaluations(nbody_job(stage));
}

static double pairs(const Stage *stage) {
    const double bodies = (double)nbody_count(stage);
    return bodies * bodies * steps(stage);
}

static const OpReport report = {.pairs = pairs, .steps = steps};

const Op op_nbody = {
    .name = "nbody",
    .help = "moves bodies that attract each other, by steps of leapfrog",
    .inputs = 1,
    .job_bytes = sizeof(NbodyJob),
    .shape = shape,
    .needs = needs_whole,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = 5,
    .example_input = example_input,
    .features = features,
    .report = &report,
    .pixels = "f32x4",
};
