/* yardsticks.c: yardsticks in bounded time. */
#include "app/view/session/yardsticks.h"
#include "app/view/data/grade.h"
#include "app/view/session/request.h"
#include "app/view/session/runs.h"
#include "core/scene/look.h"
#include "core/tracer/plan_trace.h"

#include <math.h>
#include <stdint.h>

enum {
    RUNS = 3,
    GROWTH_MAX = 16,
    REFUSED_MAX = 1 << 16, /* pixels of the smallest part that a level may want */
    FIRST_SPHERES = 1024,
    FIRST_PIXELS = 64,
    EXPOSURE_PIXELS = 4096,
    EXPOSURE_SAMPLES = 4,
};
#define SLOWEST_RATE  3e5  /* flop a millisecond: less than the reference does on one thread */
#define SLOWEST_PIXEL 1e-3 /* ms, where hardly anything is computed */
#define FIRST_MS      2.0  /* the first part takes no longer, but for a single pixel that does */
#define MIDDLE_GREY   0.18
#define EXPOSURE_MIN  1.0   /* stops: less is as the scene's author may have meant it */
#define SURE_SHARE    0.7   /* of the time that is left may be planned with */
#define REPEAT_SHARE  0.125 /* of it may go into runs of the same part */

/* Measurements of ever larger parts, and the limit of their time; the next part is as large as is sure to fit. */
typedef struct Ramp {
    double begin, limit; /* clock_ms, ms */
    double size, whole;  /* of the next part and of all: pixels or spheres */
    double slowest;      /* ms that one more takes at most; INFINITY: not known */
} Ramp;

static Ramp ramp_begin(double first, double whole, double limit, double slowest) {
    return (Ramp){clock_ms(), limit, fmin(fmax(floor(first), 1), whole), whole, slowest};
}

/* After a part of `size` that took so long; false if a larger one does not pay or does not fit. The time of a small
 * part need not grow with it: its threads may just wait for each other. */
static bool ramp_grow(Ramp *ramp, double size, double took) {
    const double left = SURE_SHARE * (ramp->limit - (clock_ms() - ramp->begin));
    const double pace = fmin(fmax(took, 1e-3) / size, ramp->slowest);
    const double next = fmin(fmin(size + (left - took) / pace, GROWTH_MAX * size), ramp->whole);
    if (size >= ramp->whole || (next < 2 * size && next < ramp->whole))
        return false;
    ramp->size = next;
    return true;
}

/* About so many pixels: whole rows of a picture if they suffice for one, a coarser view of a scene. Where the result
 * has another size, the part has the picture's proportions, so that its result is as large a part. */
static Shape part_shape(const Measurement *job, double pixels) {
    const bool alike = job->scene || job->scales;
    Shape shape = job->shape;
    const double width = (double)shape.width, height = (double)shape.height;
    const double share = sqrt(fmin(pixels / (width * height), 1));
    shape.width = (size_t)fmax(1, alike ? round(share * width) : fmin(pixels, width));
    shape.height = (size_t)fmax(1, alike ? round(share * height) : fmin(floor(pixels / width), height));
    return shape;
}

static double shape_pixels(Shape shape) {
    return (double)shape.width * (double)shape.height;
}

/* The job without filters, which may not fit a part. */
static Measurement without_chain(const Measurement *job) {
    static const Chain none;
    Measurement same = *job;
    same.chain = &none;
    return same;
}

Status measurement_open(const Measurement *job, const char *level, Shape shape, Pipeline **pipeline) {
    const size_t x = (job->shape.width - shape.width) / 2, y = (job->shape.height - shape.height) / 2;
    Plan *plan;
    TRY(view_plan(job, shape.width, shape.height, &plan));
    TRY(pipeline_create(job->device, plan, level, pipeline));
    const Status status = job->scene ? STATUS_OK
                                     : pipeline_upload(*pipeline, PIPELINE_PICTURE,
                                                       view_crop(job->picture, x, y, shape.width, shape.height));
    if (status != STATUS_OK)
        pipeline_destroy(pipeline);
    return status;
}

/* Whether each time is more than a fifth above the next shorter one. */
static bool unlike(double *runs, size_t count) {
    bool alike = count < 2;
    for (size_t i = 0; i + 1 < count; i++)
        for (size_t k = i + 1; k < count; k++)
            alike |= fmax(runs[i], runs[k]) <= RUNS_AGREE * fmin(runs[i], runs[k]);
    return !alike;
}

/* Up to RUNS runs, fewer once they have taken `limit_ms`; *used: all of them together. timing->ms is the median for the
 * whole job. For a part it is the smallest: the scale of a part's time would enlarge any disturbance. */
static Status time_runs(Pipeline *pipeline, bool whole, double limit_ms, Timing *timing, double *used) {
    double runs[RUNS];
    size_t count = 0;
    for (*used = 0; count < RUNS && (count == 0 || *used + runs[count - 1] < limit_ms); *used += runs[count++]) {
        Spans spans = {0};
        TRY(pipeline_run(pipeline, &spans));
        runs[count] = spans_total(&spans);
    }
    *timing = (Timing){true, !whole, quantile(runs, count, whole ? 0.5 : 0), unlike(runs, count)};
    return STATUS_OK;
}

/* *used: the time of the runs; a part has a share of the time that is left to repeat them. */
static Status time_part(const Measurement *job, const char *level, Shape shape, double left_ms, Timing *timing,
                        double *used) {
    const bool whole = shape_equal(shape, job->shape);
    Pipeline *pipeline;
    TRY(measurement_open(job, level, shape, &pipeline));
    const Status status = time_runs(pipeline, whole, whole ? left_ms : REPEAT_SHARE * left_ms, timing, used);
    pipeline_destroy(&pipeline);
    return status;
}

/* A first run may load its kernel, which a GPU's driver compiles before where the program has no code for it. Faults
 * come again when the level is timed. */
static void run_untimed(const Measurement *job, const char *level, Shape shape) {
    Timing unused;
    double used;
    (void)time_part(job, level, shape, 0, &unused, &used);
}

/* The time that a pixel takes at most, where the job states its arithmetic; rays of light state none. */
static Status slowest_pixel(const Measurement *job, double *ms) {
    Plan *plan;
    double flops = 0;
    TRY(view_plan(job, 1, 1, &plan));
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        flops += stage_cost(&plan_stage(plan, i)->stage).flops;
    *ms = job->scene && look_is_light(job->look) ? INFINITY : SLOWEST_PIXEL + flops / SLOWEST_RATE;
    plan_destroy(&plan);
    return STATUS_OK;
}

Status measurement_time(const Measurement *job, const char *level, double limit_ms, double enough_ms, Timing *timing) {
    const double whole = shape_pixels(job->shape);
    double slowest;
    TRY(slowest_pixel(job, &slowest));
    Ramp ramp = ramp_begin(FIRST_MS / slowest, whole, limit_ms, slowest);
    run_untimed(job, level, part_shape(job, ramp.size));
    ramp.begin = clock_ms();
    *timing = (Timing){0};
    for (;;) {
        const Shape shape = part_shape(job, ramp.size);
        const double pixels = shape_pixels(shape), start = clock_ms();
        Timing part = {0};
        double used = 0;
        const Status status = time_part(job, level, shape, limit_ms - (start - ramp.begin), &part, &used);
        if (status != STATUS_OK && (timing->known || pixels >= fmin(whole, REFUSED_MAX)))
            return timing->known ? STATUS_OK : status;
        if (status == STATUS_OK)
            *timing = (Timing){true, part.estimated, part.ms * whole / pixels, part.unsteady};
        if (timing->known && timing->ms < enough_ms)
            return STATUS_OK;
        const double prepared = clock_ms() - start - used;
        if (!ramp_grow(&ramp, pixels, prepared + part.ms))
            return STATUS_OK;
    }
}

double measurement_reference_pixels(const Measurement *job, double limit_ms) {
    double slowest;
    return slowest_pixel(job, &slowest) == STATUS_OK && isfinite(slowest) ? floor(limit_ms / slowest) : 0;
}

/* ---- trials ---- */

void trials_add(Trials *trials, double ms) {
    trials->count++;
    trials->sum += ms;
    trials->squares += ms * ms;
}

double trials_mean(const Trials *trials) {
    return trials->sum / fmax(trials->count, 1);
}

double trials_interval(const Trials *trials) {
    /* Student's t for 1, 2, ... degrees of freedom, two-sided, 95 %. */
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    const double n = trials->count, mean = trials_mean(trials);
    if (trials->count < 2)
        return INFINITY;
    const double variance = fmax(trials->squares - n * mean * mean, 0) / (n - 1);
    return t[(size_t)fmin(n - 2, sizeof t / sizeof t[0] - 1)] * sqrt(variance / n);
}

/* ---- rays ---- */

/* Builds BVHs over ever more of the spheres. *whole_ms: the time to build all of it; rays get its figures if that
 * fits. */
static Status time_bvhs(Queue *queue, const Scene *scene, double limit_ms, TraceStats *stats, double *whole_ms) {
    const Backend *backend = queue->device->backend;
    Ramp ramp = ramp_begin(FIRST_SPHERES, (double)scene->count, limit_ms, INFINITY);
    for (;;) {
        const double start = clock_ms();
        double build, refit;
        Scene part = *scene;
        part.count = (size_t)ramp.size;
        part.serial = UINT64_MAX - part.count; /* each is another scene to the device */
        TRY(backend->mark(queue, 0));
        TRY(backend->trace->build(queue, &part, &stats->build_bytes));
        TRY(backend->mark(queue, 1));
        TRY(backend->trace->refit(queue, &part));
        TRY(backend->mark(queue, 2));
        TRY(backend->sync(queue));
        TRY(backend->elapsed(queue, 0, 1, &build));
        TRY(backend->elapsed(queue, 1, 2, &refit));
        *whole_ms = build * (double)scene->count / fmax((double)part.count, 1);
        if (part.count == scene->count) {
            stats->build_ms = build;
            stats->refit_ms = refit;
        }
        if (!ramp_grow(&ramp, (double)part.count, clock_ms() - start))
            return STATUS_OK;
    }
}

/* On a device of its own, so that the job's keeps the BVH that it has. */
static Status time_bvh(const Measurement *job, double limit_ms, TraceStats *stats, double *whole_ms) {
    Device *own;
    TRY(job->device->backend->open(job->device_index, job->device->threads, &own));
    Queue *queue = NULL;
    Status status = queue_open(own, &queue);
    if (status == STATUS_OK)
        status = time_bvhs(queue, job->scene, limit_ms, stats, whole_ms);
    queue_close(&queue);
    device_close(&own);
    return status;
}

static Status count_part(const Measurement *job, Shape shape, RayCounters *counters) {
    const Measurement traced = without_chain(job);
    Pipeline *pipeline;
    TRY(measurement_open(&traced, "best", shape, &pipeline));
    const Stage *stage = pipeline_stage(pipeline, pipeline_find_stage(pipeline, &op_trace));
    const Status status = job->device->backend->trace->count_rays(pipeline_queue(pipeline), stage, counters);
    pipeline_destroy(&pipeline);
    return status;
}

static Status count_rays_within(const Measurement *job, double limit_ms, RayCounters *counters, bool *estimated) {
    const double whole = shape_pixels(job->shape);
    TRY(count_part(job, part_shape(job, 1), counters)); /* builds the BVH if there is none */
    Ramp ramp = ramp_begin(FIRST_PIXELS, whole, limit_ms, INFINITY);
    for (;;) {
        const Shape shape = part_shape(job, ramp.size);
        const double pixels = shape_pixels(shape), start = clock_ms();
        TRY(count_part(job, shape, counters));
        *estimated = pixels < whole;
        for (int i = 0; i < COUNTERS; i++)
            counters->counts[i] = (uint64_t)((double)counters->counts[i] * whole / pixels);
        if (!ramp_grow(&ramp, pixels, clock_ms() - start))
            return STATUS_OK;
    }
}

Status measurement_count_rays(const Measurement *job, double limit_ms, double run_ms, TraceStats *stats,
                              bool *estimated) {
    const Backend *backend = job->device->backend;
    double build_ms = 0;
    *stats = (TraceStats){0};
    *estimated = false;
    if (!backend->trace)
        return STATUS_OK;
    TRY(time_bvh(job, limit_ms, stats, &build_ms));
    const bool there = look_is_light(job->look); /* the level that traced it has built it */
    if (!there && build_ms > fmax(limit_ms, run_ms))
        return STATUS_OK;
    return count_rays_within(job, limit_ms, &stats->counters, estimated);
}

/* ---- exposure ---- */

/* Pixels that show nothing at all say nothing. */
static double suitable_stops(ImageView light) {
    double sum = 0;
    size_t count = 0;
    for (size_t y = 0; y < light.shape.height; y++)
        for (size_t x = 0; x < light.shape.width; x++) {
            const double samples = view_value(light, x, y, 3);
            const double luma = 0.2126 * view_value(light, x, y, 0) + 0.7152 * view_value(light, x, y, 1) +
                                0.0722 * view_value(light, x, y, 2);
            if (samples > 0 && luma > 0 && isfinite(luma)) {
                sum += log2(luma / samples);
                count++;
            }
        }
    const double stops = count > 0 ? log2(MIDDLE_GREY) - sum / (double)count : 0;
    return fabs(stops) < EXPOSURE_MIN ? 0 : fmin(fmax(round(2 * stops) / 2, -EXPOSURE_MAX), EXPOSURE_MAX);
}

Status measurement_exposure(const Measurement *job, double *stops) {
    const Measurement view = without_chain(job);
    Pipeline *pipeline;
    Image *light = NULL;
    Spans spans = {0};
    *stops = 0;
    TRY(measurement_open(&view, "best", part_shape(job, EXPOSURE_PIXELS), &pipeline));
    const size_t traced = pipeline_find_stage(pipeline, &op_trace);
    const Frame gathered = pipeline_stage(pipeline, traced)->out;
    TraceJob *trace = pipeline_job(pipeline, traced);
    trace->sampling.first = 0;
    trace->sampling.samples = EXPOSURE_SAMPLES;
    Status status = pipeline_run_stages(pipeline, traced, traced + 1, &spans);
    if (status == STATUS_OK)
        status = image_create(gathered.shape, &light);
    if (status == STATUS_OK)
        status = job->device->backend->download(pipeline_queue(pipeline), gathered, light->view);
    if (status == STATUS_OK)
        *stops = suitable_stops(light->view);
    image_destroy(&light);
    pipeline_destroy(&pipeline);
    return status;
}

const char *level_why_not(const Device *device, const Pipeline *pipeline, const Level *level) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++) {
        const Stage *stage = pipeline_stage(pipeline, i);
        const char *why_not = "";
        if (stage->op == level->op && !level_accepts(level, device, stage, &why_not))
            return why_not;
    }
    return NULL;
}

const Level *lowest_level(const Device *device, const Pipeline *pipeline) {
    const Op *op = pipeline_stage(pipeline, pipeline_main_stage(pipeline))->op;
    const Level *reference = level_reference(op), *level;
    for (size_t i = 0; (level = ladder_level(device->backend, op, i)); i++)
        if (level != reference && !level_why_not(device, pipeline, level))
            return level;
    return NULL;
}
