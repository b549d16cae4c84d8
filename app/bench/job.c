/* job.c: a job of bench as a plan. */
#include "app/bench/job.h"

#include "core/chain.h"

#include <stdio.h>
#include <string.h>

bool job_parse_mask(const char *text, int *width, int *height) {
    int end = 0;
    int fields = sscanf(text, "%dx%d%n", width, height, &end);
    if (fields == 1) {
        *height = *width;
        fields = sscanf(text, "%d%n", width, &end);
    }
    return fields >= 1 && text[end] == '\0' && *width >= 1 && *width <= MASK_MOST && *height >= 1 &&
           *height <= MASK_MOST;
}

/* A convolution with random weights whose sum is 1. */
static Status plan_dense(const Job *job, Plan *plan) {
    Mask *mask;
    int width, height, out;
    if (!job_parse_mask(job->mask, &width, &height))
        return fail(STATUS_USAGE, "mask \"%s\": want K or KxK with K from 1 to %d", job->mask, MASK_MOST);
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

static Status plan_chain(const Job *job, Shape shape, PlanOptions options, Plan **plan) {
    Chain *chain;
    TRY(chain_parse(job->filter ? job->filter : "grayscale", &chain));
    const Status status = chain_plan(chain, shape, options, plan);
    chain_destroy(&chain);
    return status;
}

static Status plan_alone(const Job *job, Shape shape, PlanOptions options, Plan **plan) {
    int out;
    TRY(plan_create(shape, options, plan));
    plan_label(*plan, operations[job->operation].name);
    const Status status = job->operation == OPERATION_TRACE
                              ? plan_trace(*plan, trace_job(job->scene, job->sight), 1, shape, &out)
                              : plan_dense(job, *plan);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

Status job_lower(const Job *job, Shape shape, Plan **plan, const Stage **stage) {
    *plan = NULL;
    PlanOptions options = job->plan;
    options.alpha = ALPHA_IGNORE; /* a bench times the operation, not what surrounds it */
    if (job->operation == OPERATION_TRACE && job->sight->look == LOOK_NODES)
        return fail(STATUS_USAGE, "bench: the look of nodes shows what a level does: there is nothing to check it by");
    TRY(job->filter || job->operation == OPERATION_POINT ? plan_chain(job, shape, options, plan)
                                                         : plan_alone(job, shape, options, plan));
    for (size_t i = 0; i < plan_stage_count(*plan); i++)
        if (plan_stage(*plan, i)->stage.operation == job->operation) {
            *stage = &plan_stage(*plan, i)->stage;
            return STATUS_OK;
        }
    plan_destroy(plan);
    return fail(STATUS_USAGE, "bench: the chain %s has no stage of %s", job->filter, operations[job->operation].name);
}

void job_describe(const Job *job, const Stage *stage, char *text, size_t size) {
    char border[32];
    const Shape shape = stage->out.shape;
    int used = snprintf(text, size, "%s, ", operations[stage->operation].name);
    if (stage->operation == OPERATION_CONVOLVE)
        used += snprintf(text + used, size - (size_t)used, "%s %dx%d, border %s, ", job->filter ? job->filter : "dense",
                         stage->convolve.mask->width, stage->convolve.mask->height,
                         border_format(stage->convolve.border, border, sizeof border));
    if (stage->operation == OPERATION_POINT)
        used += snprintf(text + used, size - (size_t)used, "%s, ", stage->label);
    if (job->scene) {
        used += snprintf(text + used, size - (size_t)used, "%.64s, ", job->name);
        used += (int)scene_count_text(job->scene, text + used, size - (size_t)used);
        used += snprintf(text + used, size - (size_t)used, ", %s, %s, ", cameras[stage->trace.camera.kind].name,
                         looks[stage->trace.look].name);
    }
    snprintf(text + used, size - (size_t)used, "%sx%d, %zux%zu", pixel_type_name(shape.type), shape.channels,
             shape.width, shape.height);
}
