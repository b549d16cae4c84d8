/* measure.c: yardsticks in bounded time. */
#include "app/view/measure.h"

#include <string.h>

enum { SMALLEST_PART = 64 * 64, RUNS = 3, COPIES = 11 };
static const size_t reductions[] = {8, 3, 1}; /* parts tried one after the other while there is time */

static Shape part_shape(const Job *job, size_t reduction) {
    Shape shape = job->shape;
    shape.width = shape.width > reduction ? shape.width / reduction : 1;
    shape.height = shape.height > reduction ? shape.height / reduction : 1;
    return shape;
}

Status job_plan(const Job *job, size_t reduction, Plan **plan) {
    const Shape shape = part_shape(job, reduction);
    if (!job->scene)
        return chain_plan(job->chain, shape, job->options, plan);
    Camera camera = job->camera;
    camera.unit *= (float)reduction; /* the same view, coarser; perspective ones are by themselves */
    int result;
    TRY(plan_create(shape, job->options, plan));
    plan_label(*plan, "trace");
    const Sampling sampling = {0, 1, 1, looks[job->look].depth};
    const TraceJob trace = {.scene = job->scene, .camera = camera, .look = job->look, .sampling = sampling};
    const Status status = plan_trace(*plan, trace, job->exposure, shape, &result);
    if (status == STATUS_OK)
        plan_set_result(*plan, result);
    else
        plan_destroy(plan);
    return status;
}

/* The median over up to RUNS runs within `limit_ms`, one at least. */
static Status time_runs(Pipeline *pipeline, double limit_ms, double *ms) {
    double runs[RUNS];
    size_t count = 0;
    for (double used = 0; count < RUNS && (count == 0 || used + runs[count - 1] < limit_ms); used += runs[count++]) {
        Spans spans = {0};
        TRY(pipeline_run(pipeline, &spans));
        runs[count] = spans_total(&spans);
    }
    *ms = quantile(runs, count, 0.5);
    return STATUS_OK;
}

static Status time_part(const Job *job, const char *level, size_t reduction, double limit_ms, double *ms) {
    const Shape shape = part_shape(job, reduction);
    Plan *plan;
    Pipeline *pipeline;
    TRY(job_plan(job, reduction, &plan));
    TRY(pipeline_create(job->device, plan, level, &pipeline));
    Status status = STATUS_OK;
    if (!job->scene) {
        const size_t x = (job->shape.width - shape.width) / 2, y = (job->shape.height - shape.height) / 2;
        status = pipeline_upload(pipeline, view_crop(job->picture, x, y, shape.width, shape.height));
    }
    if (status == STATUS_OK)
        status = time_runs(pipeline, limit_ms, ms);
    pipeline_destroy(&pipeline);
    return status;
}

Status job_time(const Job *job, const char *level, double limit_ms, Timing *timing) {
    const double pixels = (double)job->shape.width * (double)job->shape.height;
    *timing = (Timing){0};
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++) {
        const Shape shape = part_shape(job, reductions[i]);
        const double part = (double)shape.width * (double)shape.height;
        if (reductions[i] > 1 && part < SMALLEST_PART)
            continue;
        if (timing->known && timing->ms * part / pixels > limit_ms)
            break;
        double ms;
        TRY(time_part(job, level, reductions[i], limit_ms, &ms));
        *timing = (Timing){true, reductions[i] > 1, ms * pixels / part};
    }
    return STATUS_OK;
}

static Status time_copies(Device *device, Frame from, Frame to, double *ms) {
    const Backend *backend = device->backend;
    double runs[COPIES];
    TRY(backend->copy(device, from, to)); /* touches the memory for the first time */
    for (int i = 0; i < COPIES; i++) {
        TRY(backend->mark(device, 0));
        TRY(backend->copy(device, from, to));
        TRY(backend->mark(device, 1));
        TRY(backend->sync(device));
        TRY(backend->elapsed(device, 0, 1, &runs[i]));
    }
    *ms = quantile(runs, COPIES, 0.5);
    return STATUS_OK;
}

Status copy_time(Device *device, const Pipeline *pipeline, double *ms) {
    const Frame from = pipeline_result(pipeline);
    Frame to = {0};
    double bytes = 0;
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        bytes += stage_cost(pipeline_stage(pipeline, i)).bytes;
    TRY(device->backend->frame_create(device, from.shape, &to));
    const Status status = time_copies(device, from, to, ms);
    device->backend->frame_destroy(device, &to);
    *ms *= bytes / (2 * (double)shape_bytes(from.shape)); /* a copy reads and writes */
    return status;
}

const char *level_why_not(const Device *device, const Pipeline *pipeline, const Level *level) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++) {
        const Stage *stage = pipeline_stage(pipeline, i);
        const char *why_not = "";
        if (stage->operation == level->operation && !level->accepts(device, stage, &why_not))
            return why_not;
    }
    return NULL;
}

const Level *lowest_level(const Device *device, const Pipeline *pipeline) {
    const Operation operation = pipeline_stage(pipeline, pipeline_main_stage(pipeline))->operation;
    const Level *reference = level_reference(operation), *level;
    for (size_t i = 0; (level = ladder_level(device->backend, operation, i)); i++)
        if (level != reference && !level_why_not(device, pipeline, level))
            return level;
    return NULL;
}
