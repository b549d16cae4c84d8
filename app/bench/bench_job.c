/* bench_job.c: a job of bench as a plan. */
#include "app/bench/bench_job.h"

#include "app/bench/ladder.h"
#include "core/chain/chain.h"
#include "core/ops/convolve.h"
#include "core/tracer/plan_trace.h"

#include <stdio.h>
#include <string.h>

bool bench_job_parse_mask(const char *text, int *width, int *height) {
    int end = 0;
    int fields = sscanf(text, "%dx%d%n", width, height, &end);
    if (fields == 1) {
        *height = *width;
        fields = sscanf(text, "%d%n", width, &end);
    }
    return fields >= 1 && text[end] == '\0' && *width >= 1 && *width <= MASK_MAX && *height >= 1 && *height <= MASK_MAX;
}

BenchDefaults bench_job_of_kernels(const char *operation) {
    static const BenchDefaults rows[] = {
        {"reduce", "f32x1", NULL}, {"dot", "f32x1", NULL},      {"point", "u8x3", "contrast=1.25"},
        {"blend", "u8x3", NULL},   {"histogram", "u8x3", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].operation, operation) == 0)
            return rows[i];
    return (BenchDefaults){0};
}

/* A convolution with random weights whose sum is 1. */
static Status plan_dense(const BenchJob *job, Plan *plan) {
    Mask *mask;
    int width, height, out;
    if (!bench_job_parse_mask(job->mask, &width, &height))
        return fail(STATUS_USAGE, "mask \"%s\": want K or KxK with K from 1 to %d", job->mask, MASK_MAX);
    TRY(mask_create(width, height, &mask));
    Image *noise = NULL;
    Status status = image_create((Shape){(size_t)width, (size_t)height, 1, PIXEL_F32}, &noise);
    if (status != STATUS_OK) {
        mask_destroy(&mask);
        return status;
    }
    view_fill_random(noise->view, 7);
    memcpy(mask->weights, noise->view.pixels, shape_bytes(noise->view.shape));
    image_destroy(&noise);
    const double sum = mask_sum(mask);
    for (int i = 0; i < width * height; i++)
        mask->weights[i] = (float)((double)mask->weights[i] / sum);
    return plan_convolve(plan, 0, mask, 0, job->shape.type, &out);
}

static Status plan_filter(const BenchJob *job, Shape shape, PlanOptions options, Plan **plan) {
    Chain *chain;
    TRY(chain_open(job->filter, &chain));
    const Status status = chain_plan(chain, shape, options, plan);
    chain_destroy(&chain);
    return status;
}

static Status plan_alone(const BenchJob *job, Shape shape, PlanOptions options, Plan **plan) {
    const TraceOptions light = {.exposure = 1};
    int value;
    TRY(plan_create(options, plan));
    plan_label(*plan, job->op->name);
    const Shape first = job->op->example_input ? job->op->example_input(job->example, 0, shape) : shape;
    Status status = job->op->inputs > 0 ? plan_source(*plan, first, &value) : STATUS_OK;
    if (status == STATUS_OK)
        status = job->scene ? plan_trace(*plan, scene_options_job(job->scene, job->scene_options), light, shape, &value)
                 : job->mask ? plan_dense(job, *plan)
                             : plan_example(*plan, job->op, job->example, shape, &value);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

Status bench_job_lower(const BenchJob *job, Shape shape, Plan **plan, const Stage **stage) {
    *plan = NULL;
    PlanOptions options = job->plan;
    options.alpha = ALPHA_IGNORE; /* a bench times the operation, not its surroundings */
    if (job->scene && job->scene_options->look == LOOK_NODES)
        return fail(STATUS_USAGE, "bench: the look of nodes shows a level's own work: there is nothing to check it by");
    TRY(job->filter ? plan_filter(job, shape, options, plan) : plan_alone(job, shape, options, plan));
    for (size_t i = 0; i < plan_stage_count(*plan); i++)
        if (plan_stage(*plan, i)->stage.op == job->op) {
            *stage = &plan_stage(*plan, i)->stage;
            return STATUS_OK;
        }
    plan_destroy(plan);
    return fail(STATUS_USAGE, "bench: the chain %s has no stage of %s", job->filter, job->op->name);
}

void bench_job_describe(const BenchJob *job, const Stage *stage, char *text, size_t size) {
    char words[160];
    const Shape shape = stage_picture(stage);
    const char *what = job->scene ? job->name : job->filter ? job->filter : job->mask ? "dense" : "";
    stage->op->describe(stage->job, words, sizeof words);
    if (strcmp(what, words) == 0) /* the filter invert is the point function invert */
        what = "";
    snprintf(text, size, "%s, %.64s%s%s, %sx%d, %zux%zu", stage->op->name, what,
             job->scene ? ", "
             : what[0]  ? " "
                        : "",
             words, pixel_type_name(shape.type), shape.channels, shape.width, shape.height);
}
