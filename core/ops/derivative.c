/* derivative.c: the needs, costs and tolerances of a pair of masks. */
#include "core/ops/derivative.h"

#include "core/stage/op.h"
#include "core/stage/window.h"

#include <math.h>
#include <stdio.h>

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const DerivativeJob *derivative = job;
    if (type != in[0].type && type != PIXEL_F32)
        return fail(STATUS_USAGE, "derivative: %s cannot be stored as %s, only as it is or as f32",
                    pixel_type_name(in[0].type), pixel_type_name(type));
    if (derivative->alpha && !shape_has_alpha(in[0]))
        return fail(STATUS_USAGE, "derivative: there is no alpha among %d channels", in[0].channels);
    *out = shape_with_type(in[0], type);
    return STATUS_OK;
}

static Region needs(const void *job, int k, Region out, const Shape in[STAGE_INPUTS]) {
    return window_needs(((const DerivativeJob *)job)->border.mode, out, in[k], 3, 3);
}

static Cost cost(const Stage *stage) {
    const Shape out = stage->out.shape;
    return (Cost){(double)shape_bytes(stage->in[0].shape) + (double)shape_bytes(out),
                  16.0 * (double)out.width * (double)out.height * out.channels};
}

static double absolute_sum(const DerivativeJob *job) {
    return job->form == DERIVATIVE_SMOOTHED ? 4.0 * job->side + 2.0 * job->middle : 2;
}

/* Directions are compared around the circle; values that were divided by alpha, times alpha. */
static Verdict compare_floats(const Stage *stage, double max, ImageView want, ImageView got) {
    const DerivativeJob *job = derivative_job(stage);
    const bool turns = job->output == DERIVATIVE_DIRECTION;
    const double reach = turns ? job->white : job->scale * absolute_sum(job) * max * (job->alpha ? max : 1);
    Verdict verdict = {.allowed = 2e-6 * (reach + job->bias * (job->alpha ? max : 1))};
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++)
            for (int c = 0; c < want.shape.channels; c++) {
                const double a = view_value(want, x, y, c), b = view_value(got, x, y, c);
                double difference = a == b || (isnan(a) && isnan(b)) ? 0 : fabs(a - b);
                difference = turns ? fmin(difference, fabs(job->white - difference)) : difference;
                if (job->alpha && !turns && difference > 0) /* alpha may be infinity */
                    difference *= fmax(view_value(want, x, y, want.shape.channels - 1), 0);
                verdict.values++;
                verdict.differing += difference > 0 || isnan(difference);
                if (!(difference <= verdict.worst))
                    verdict.worst = isnan(difference) ? INFINITY : difference;
            }
    verdict.agrees = verdict.worst <= verdict.allowed;
    return verdict;
}

static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const double max = fmax(max_in, fabs((double)derivative_job(stage)->border.value));
    return want.shape.type == PIXEL_F32 ? compare_floats(stage, max, want, got) : verdict_of(want, got, 0);
}

static size_t describe(const void *job, char *buffer, size_t size) {
    static const char *const outputs[] = {"x", "y", "magnitude", "direction"};
    const DerivativeJob *derivative = job;
    char border[32], masks[32] = "diagonal";
    if (derivative->form == DERIVATIVE_SMOOTHED)
        snprintf(masks, sizeof masks, "%d %d %d", derivative->side, derivative->middle, derivative->side);
    return (size_t)snprintf(buffer, size, "%s, %s, times %g%s, border %s", masks, outputs[derivative->output],
                            derivative->scale, derivative->alpha ? ", by alpha" : "",
                            border_format(derivative->border, border, sizeof border));
}

/* Form, output, weights, scale, border; all but those marked measure alpha where there is some. */
static const struct {
    DerivativeForm form;
    DerivativeOutput output;
    int side, middle;
    double scale, bias; /* of white */
    Border border;
    bool alike;
} examples[] = {
    {DERIVATIVE_SMOOTHED, DERIVATIVE_MAGNITUDE, 1, 2, 1, 0, {BORDER_CLAMP, 0}, false},
    {DERIVATIVE_SMOOTHED, DERIVATIVE_MAGNITUDE, 1, 1, 0.5, 0, {BORDER_MIRROR, 0}, true},
    {DERIVATIVE_SMOOTHED, DERIVATIVE_X, 3, 10, 0.125, 0.5, {BORDER_CONSTANT, 0.7F}, false},
    {DERIVATIVE_SMOOTHED, DERIVATIVE_Y, 1, 2, 0.3, 0, {BORDER_ZERO, 0}, true},
    {DERIVATIVE_DIAGONAL, DERIVATIVE_MAGNITUDE, 0, 0, 0.05, 0, {BORDER_WRAP, 0}, false},
    {DERIVATIVE_SMOOTHED, DERIVATIVE_DIRECTION, 3, 10, 1, 0, {BORDER_CLAMP, 0}, false},
    {DERIVATIVE_DIAGONAL, DERIVATIVE_DIRECTION, 0, 0, 1, 0, {BORDER_CONSTANT, 9}, true},
};

static Status example(size_t index, Shape in, void *job) {
    const double white = pixel_type_white(in.type);
    *(DerivativeJob *)job = (DerivativeJob){
        .form = examples[index].form,
        .output = examples[index].output,
        .side = examples[index].side,
        .middle = examples[index].middle,
        .scale = examples[index].scale,
        .bias = rint(examples[index].bias * white),
        .white = white,
        .alpha = !examples[index].alike && shape_has_alpha(in),
        .border = examples[index].border,
    };
    return STATUS_OK;
}

const Op op_derivative = {
    .name = "derivative",
    .help = "each value becomes the slope around it, by a pair of small masks",
    .inputs = 1,
    .job_bytes = sizeof(DerivativeJob),
    .shape = shape,
    .needs = needs,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
};
