/* measure.c: yardsticks in bounded time. */
#include "app/view/measure.h"

#include <math.h>
#include <stdint.h>

enum {
    RUNS = 3,
    GROWTH_MOST = 16,
    REFUSED_MOST = 1 << 16, /* pixels of the smallest part that a level may want */
    FIRST_SPHERES = 1024,
    FIRST_PIXELS = 64,
};
#define SURE_SHARE 0.7 /* of the time that is left may be planned with */

/* What is known of the time that parts take; the next is as large as is sure to fit. */
typedef struct Ramp {
    double begin, limit; /* clock_ms, ms */
    double size, whole;  /* of the next part and of all: pixels or spheres */
} Ramp;

static Ramp ramp_begin(double first, double whole, double limit) {
    return (Ramp){clock_ms(), limit, fmin(first, whole), whole};
}

/* After a part of `size` that took so long; false if a larger one does not pay or does not fit. */
static bool ramp_grow(Ramp *ramp, double size, double took) {
    const double left = ramp->limit - (clock_ms() - ramp->begin);
    const double growth = fmin(SURE_SHARE * left / fmax(took, 1e-3), GROWTH_MOST);
    const double next = fmin(growth * size, ramp->whole);
    if (size >= ramp->whole || (growth < 2 && next < ramp->whole) || growth < 1)
        return false;
    ramp->size = next;
    return true;
}

/* About so many pixels: whole rows of a picture if they suffice for one, a coarser view of a scene. */
static Shape part_shape(const Job *job, double pixels) {
    Shape shape = job->shape;
    const double width = (double)shape.width, height = (double)shape.height;
    const double share = sqrt(fmin(pixels / (width * height), 1));
    shape.width = (size_t)fmax(1, job->scene ? round(share * width) : fmin(pixels, width));
    shape.height = (size_t)fmax(1, job->scene ? round(share * height) : fmin(floor(pixels / width), height));
    return shape;
}

static double shape_pixels(Shape shape) {
    return (double)shape.width * (double)shape.height;
}

Status job_plan(const Job *job, size_t width, size_t height, Plan **plan) {
    const Shape shape = {width, height, job->shape.channels, job->shape.type};
    if (!job->scene)
        return chain_plan(job->chain, shape, job->options, plan);
    Camera camera = job->camera;
    camera.unit *= (float)job->shape.width / (float)width; /* perspective views are the same by themselves */
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

static Status part_pipeline(const Job *job, const char *level, Shape shape, Pipeline **pipeline) {
    Plan *plan;
    TRY(job_plan(job, shape.width, shape.height, &plan));
    return pipeline_create(job->device, plan, level, pipeline);
}

/* The median over RUNS runs, or over fewer that have taken `limit_ms`. */
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

/* One run of a part; more of the whole job, as far as `left_ms` allow. */
static Status time_part(const Job *job, const char *level, Shape shape, double left_ms, double *ms) {
    Pipeline *pipeline;
    TRY(part_pipeline(job, level, shape, &pipeline));
    Status status = STATUS_OK;
    if (!job->scene) {
        const size_t x = (job->shape.width - shape.width) / 2, y = (job->shape.height - shape.height) / 2;
        status = pipeline_upload(pipeline, view_crop(job->picture, x, y, shape.width, shape.height));
    }
    if (status == STATUS_OK)
        status = time_runs(pipeline, shape_equal(shape, job->shape) ? left_ms : 0, ms);
    pipeline_destroy(&pipeline);
    return status;
}

Status job_time(const Job *job, const char *level, double limit_ms, double enough_ms, Timing *timing) {
    const double whole = shape_pixels(job->shape);
    Ramp ramp = ramp_begin(1, whole, limit_ms);
    *timing = (Timing){0};
    for (;;) {
        const Shape shape = part_shape(job, ramp.size);
        const double pixels = shape_pixels(shape), start = clock_ms();
        double ms;
        const Status status = time_part(job, level, shape, limit_ms - (start - ramp.begin), &ms);
        if (status != STATUS_OK && (timing->known || pixels >= fmin(whole, REFUSED_MOST)))
            return timing->known ? STATUS_OK : status;
        if (status == STATUS_OK)
            *timing = (Timing){true, pixels < whole, ms * whole / pixels};
        if (timing->known && timing->ms < enough_ms)
            return STATUS_OK;
        if (!ramp_grow(&ramp, pixels, clock_ms() - start))
            return STATUS_OK;
    }
}

/* ---- rays ---- */

/* Builds hierarchies over ever more of the spheres. *whole_ms: what building all of it takes; rays get its figures if
 * that fits. */
static Status time_hierarchies(Device *device, const Scene *scene, double limit_ms, Rays *rays, double *whole_ms) {
    const Backend *backend = device->backend;
    Ramp ramp = ramp_begin(FIRST_SPHERES, (double)scene->count, limit_ms);
    for (;;) {
        const double start = clock_ms();
        double build, refit;
        Scene part = *scene;
        part.count = (size_t)ramp.size;
        part.serial = UINT64_MAX - part.count; /* each is another scene to the device */
        TRY(backend->mark(device, 0));
        TRY(backend->build(device, &part, &rays->build_bytes));
        TRY(backend->mark(device, 1));
        TRY(backend->refit(device, &part));
        TRY(backend->mark(device, 2));
        TRY(backend->sync(device));
        TRY(backend->elapsed(device, 0, 1, &build));
        TRY(backend->elapsed(device, 1, 2, &refit));
        *whole_ms = build * (double)scene->count / fmax((double)part.count, 1);
        if (part.count == scene->count) {
            rays->build_ms = build;
            rays->refit_ms = refit;
        }
        if (!ramp_grow(&ramp, (double)part.count, clock_ms() - start))
            return STATUS_OK;
    }
}

/* On a device of its own, so that the job's keeps the hierarchy that it has. */
static Status time_hierarchy(const Job *job, double limit_ms, Rays *rays, double *whole_ms) {
    Device *own;
    TRY(job->device->backend->open(job->device_index, job->device->threads, &own));
    const Status status = time_hierarchies(own, job->scene, limit_ms, rays, whole_ms);
    device_close(&own);
    return status;
}

static Status tally_part(const Job *job, Shape shape, Tally *tally) {
    Pipeline *pipeline;
    TRY(part_pipeline(job, "best", shape, &pipeline));
    const Status status = job->device->backend->tally(job->device, pipeline_stage(pipeline, 0), tally);
    pipeline_destroy(&pipeline);
    return status;
}

static Status tally_rays_within(const Job *job, double limit_ms, Tally *tally, bool *estimated) {
    const double whole = shape_pixels(job->shape);
    TRY(tally_part(job, part_shape(job, 1), tally)); /* builds the hierarchy if there is none */
    Ramp ramp = ramp_begin(FIRST_PIXELS, whole, limit_ms);
    for (;;) {
        const Shape shape = part_shape(job, ramp.size);
        const double pixels = shape_pixels(shape), start = clock_ms();
        TRY(tally_part(job, shape, tally));
        *estimated = pixels < whole;
        for (int i = 0; i < TALLIES; i++)
            tally->counts[i] = (uint64_t)((double)tally->counts[i] * whole / pixels);
        if (!ramp_grow(&ramp, pixels, clock_ms() - start))
            return STATUS_OK;
    }
}

Status job_count_rays(const Job *job, double limit_ms, double run_ms, Rays *rays, bool *estimated) {
    const Backend *backend = job->device->backend;
    double build_ms = 0;
    *rays = (Rays){0};
    *estimated = false;
    if (backend->build && backend->refit)
        TRY(time_hierarchy(job, limit_ms, rays, &build_ms));
    const bool there = look_is_light(job->look); /* what traced it has built it */
    if (!backend->tally || (!there && build_ms > fmax(limit_ms, run_ms)))
        return STATUS_OK;
    return tally_rays_within(job, limit_ms, &rays->tally, estimated);
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
