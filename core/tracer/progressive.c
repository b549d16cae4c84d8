/* progressive.c: passes and bands. */
#include "core/tracer/progressive.h"

#include "core/ops/denoise.h"
#include "core/ops/keep.h"
#include "core/tracer/surfaces.h"

#include <math.h>

enum {
    COARSEST = 8,   /* pixels a side of a preview's blocks */
    SEEN_MIN = 32,  /* samples of a pixel whose surfaces say what it shows, where its light has fewer, */
    SEEN_PER = 8,   /* but on the way no more than so many times as many as that has; */
    SEEN_TWICE = 64 /* up to so many, twice as many as its light has */
};

#define STEP_MS 100.0 /* of progressive_all */

static size_t trace_index(const Pipeline *pipeline) {
    return pipeline_find_stage(pipeline, &op_trace);
}

static Status run_stage(Pipeline *pipeline, size_t index, Spans *spans) {
    return pipeline_run_stages(pipeline, index, index + 1, spans);
}

static Status run_trace(Pipeline *pipeline, Spans *spans) {
    return run_stage(pipeline, trace_index(pipeline), spans);
}

/* The stage's job, NULL where there is none. */
static void *job_of(Pipeline *pipeline, const Op *op) {
    const size_t index = pipeline_find_stage(pipeline, op);
    return index < pipeline_stage_count(pipeline) ? pipeline_job(pipeline, index) : NULL;
}

static bool denoises(Pipeline *pipeline) {
    return job_of(pipeline, &op_surfaces) != NULL;
}

static Shape shape_of(const Progressive *progressive) {
    return pipeline_stage(progressive->pipeline, trace_index(progressive->pipeline))->out.shape;
}

/* Rows that are traced. */
static size_t own_rows(const Progressive *progressive) {
    return stripes_rows(progressive->stripes, shape_of(progressive).height);
}

static bool gathers(const Progressive *progressive) {
    return look_is_light(trace_job(pipeline_stage(progressive->pipeline, trace_index(progressive->pipeline)))->look);
}

bool stripes_are_all(Stripes stripes) {
    return stripes.count == 0 && stripes.to == 0;
}

size_t stripes_rows(Stripes stripes, size_t height) {
    if (stripes.count == 0)
        return stripes.to > 0 ? stripes.to - stripes.from : height;
    const size_t round = stripes.height * stripes.count, rest = height % round, before = stripes.index * stripes.height;
    const size_t last = rest > before ? rest - before : 0;
    return height / round * stripes.height + (last < stripes.height ? last : stripes.height);
}

size_t stripes_find(Stripes stripes, size_t height, size_t row, size_t *left) {
    size_t top = stripes.from + row, end = stripes.to > 0 ? stripes.to : height;
    if (stripes.count > 0) {
        const size_t first = (row / stripes.height * stripes.count + stripes.index) * stripes.height;
        top = first + row % stripes.height;
        end = first + stripes.height < height ? first + stripes.height : height;
    }
    *left = end - top;
    return top;
}

void progressive_begin(Progressive *progressive, Pipeline *pipeline) {
    *progressive = (Progressive){.pipeline = pipeline, .coarse = 1};
    progressive->samples =
        gathers(progressive)
            ? trace_job(&plan_stage(pipeline_plan(pipeline), trace_index(pipeline))->stage)->sampling.samples
            : 1;
}

bool progressive_complete(const Progressive *progressive) {
    return progressive->done >= progressive->samples;
}

bool progressive_even(const Progressive *progressive) {
    return progressive->row == 0;
}

double progressive_share(const Progressive *progressive) {
    const double pass = (double)progressive->row / (double)own_rows(progressive);
    if (progressive->coarse > 1) /* next to nothing */
        return 0;
    return ((double)progressive->done + pass * (double)progressive->pass) / (double)progressive->samples;
}

/* The blocks that a part has. */
static double blocks_of(Part part) {
    return ceil((double)part.width / (double)part.coarseness) * (double)part_rows(part);
}

/* The samples that the next pass may add: with denoising, up to the next power of two. */
static uint32_t samples_ahead(const Progressive *progressive) {
    const uint32_t rest = progressive->samples - progressive->done;
    uint32_t power = 1;
    if (!denoises(progressive->pipeline))
        return rest;
    while (power <= progressive->done)
        power *= 2;
    return rest < power - progressive->done ? rest : power - progressive->done;
}

/* Keeps the film before a pass where it has 1, 2, 4, ... samples. */
static Status keep_film(const Progressive *progressive) {
    Pipeline *pipeline = progressive->pipeline;
    const uint32_t done = progressive->done;
    Spans unrecorded = {0};
    if (progressive->row > 0 || done == 0 || (done & (done - 1)) != 0 || !denoises(pipeline))
        return STATUS_OK;
    return run_stage(pipeline, pipeline_find_stage(pipeline, &op_keep), &unrecorded);
}

/* Chooses the next pass, its samples per pixel and its band of rows. A step stays within `budget` samples of single
 * pixels. Blocks get one sample each, half as coarse as those that are there. */
static Part next_part(Progressive *progressive, double budget) {
    const Shape shape = shape_of(progressive);
    const size_t side = progressive->coarse > 1 ? progressive->coarse / 2 : 1;
    Part part = {0, 0, shape.width, 0, side};
    part.top = stripes_find(progressive->stripes, shape.height, progressive->row, &part.height);
    const double whole = blocks_of((Part){0, 0, shape.width, own_rows(progressive), side});
    if (progressive->row == 0 && side > 1)
        progressive->pass = 1;
    else if (progressive->row == 0)
        progressive->pass = (uint32_t)fmin(fmax(budget / whole, 1), (double)samples_ahead(progressive));
    const double fewest = pipeline_device(progressive->pipeline)->threads;
    const double row = blocks_of((Part){0, 0, shape.width, 1, side}) * (double)progressive->pass;
    part.height = (size_t)fmin(fmax(floor(budget / row), fewest) * (double)side, (double)part.height);
    return part;
}

/* Sets the samples that the next run adds, and the part of the picture that gets them. */
static void set_part(Pipeline *pipeline, uint32_t first, uint32_t samples, Part part) {
    TraceJob *job = pipeline_job(pipeline, trace_index(pipeline));
    job->sampling.first = first;
    job->sampling.samples = samples;
    job->part = part;
}

/* All rows have the samples of the pass. */
static void end_pass(Progressive *progressive, size_t side) {
    progressive->row = 0;
    progressive->coarse = side;
    progressive->done += side == 1 ? progressive->pass : 0;
}

/* Goes on with the surfaces that the film shows, up to as many samples as the film has. The albedo that divides it then
 * comes from the same rays. While the film has few samples, surfaces get more, which smooths edges and patterns. Once
 * the film is complete, they have at least SEEN_MIN, or twice as many as the film, up to SEEN_TWICE. In blocks, one
 * pixel a block gets them. */
static Status see_surfaces(Progressive *progressive, Spans *spans) {
    Pipeline *pipeline = progressive->pipeline;
    SurfacesJob *surfaces = job_of(pipeline, &op_surfaces);
    DenoiseJob *denoise = job_of(pipeline, &op_denoise);
    const uint32_t done = progressive->coarse == 1 ? progressive->done : 0;
    const bool few = done < SEEN_MIN / SEEN_PER && !progressive_complete(progressive);
    const uint32_t twice = 2 * done < SEEN_TWICE ? 2 * done : SEEN_TWICE, more = twice > SEEN_MIN ? twice : SEEN_MIN;
    const uint32_t fewest = done == 0 ? 1 : few ? SEEN_PER * done : more;
    const uint32_t wanted = done > fewest ? done : fewest;
    denoise->coarseness = surfaces->coarseness = (int)progressive->coarse;
    if (progressive->seen_side != progressive->coarse || progressive->seen > wanted)
        progressive->seen = 0;
    if (progressive->seen == wanted)
        return STATUS_OK;
    surfaces->first = progressive->seen;
    surfaces->samples = wanted - progressive->seen;
    progressive->seen = wanted;
    progressive->seen_side = progressive->coarse;
    return run_stage(pipeline, pipeline_find_stage(pipeline, &op_surfaces), spans);
}

Status progressive_step(Progressive *progressive, double ms, Spans *spans) {
    const double budget = gathers(progressive) ? progressive->cost > 0 ? ms / progressive->cost : 0 : INFINITY;
    const Part part = next_part(progressive, budget);
    TRY(keep_film(progressive));
    const double start = clock_ms();
    set_part(progressive->pipeline, progressive->done, progressive->pass, part);
    TRY(run_trace(progressive->pipeline, spans));
    progressive->cost = (clock_ms() - start) / (blocks_of(part) * (double)progressive->pass);
    progressive->row += part.height;
    if (progressive->row < own_rows(progressive))
        return STATUS_OK;
    end_pass(progressive, part.coarseness);
    /* Surfaces are seen for all rows at once: where others trace the rest, that waits until their film is here. */
    return denoises(progressive->pipeline) && stripes_are_all(progressive->stripes) ? see_surfaces(progressive, spans)
                                                                                    : STATUS_OK;
}

Status progressive_preview(Progressive *progressive, double ms, Spans *spans) {
    const Shape shape = shape_of(progressive);
    const double all = (double)shape.width * (double)shape.height;
    Part part = {0, 0, shape.width, shape.height, COARSEST};
    while (progressive->cost > 0 && part.coarseness > 1 &&
           progressive->cost * all / (double)(part.coarseness * part.coarseness / 4) <= ms)
        part.coarseness /= 2;
    const double start = clock_ms();
    set_part(progressive->pipeline, 0, 1, part);
    TRY(run_trace(progressive->pipeline, spans));
    progressive->cost = (clock_ms() - start) / blocks_of(part);
    progressive->seen = 0;
    progressive->coarse = part.coarseness;
    progressive->done = part.coarseness == 1 ? 1 : 0;
    progressive->row = 0;
    return STATUS_OK;
}

Status progressive_show(Progressive *progressive, Spans *spans) {
    return progressive_show_until(progressive, pipeline_stage_count(progressive->pipeline), spans);
}

Status progressive_show_until(Progressive *progressive, size_t end, Spans *spans) {
    Pipeline *pipeline = progressive->pipeline;
    const bool denoised = denoises(pipeline);
    const size_t first = denoised ? pipeline_find_stage(pipeline, &op_denoise) : trace_index(pipeline) + 1;
    if (denoised && progressive->bare) { /* as many samples say nothing of the variance (core/ops/denoise.h) */
        Spans unrecorded = {0};
        TRY(run_stage(pipeline, pipeline_find_stage(pipeline, &op_keep), &unrecorded));
        progressive->bare = false;
    }
    if (denoised)
        TRY(see_surfaces(progressive, spans));
    return pipeline_run_stages(pipeline, first, end, spans);
}

Status progressive_all(Progressive *progressive, Spans *spans) {
    while (!progressive_complete(progressive))
        TRY(progressive_step(progressive, STEP_MS, spans));
    return progressive_show(progressive, spans);
}

void progressive_set_camera(Pipeline *pipeline, Camera camera) {
    pipeline_set(pipeline, TRACE_CAMERA, &camera);
}

void progressive_set_scene(Pipeline *pipeline, const Scene *scene) {
    pipeline_set(pipeline, TRACE_SCENE, &scene);
}

void progressive_set_exposure(Pipeline *pipeline, float exposure) {
    pipeline_set(pipeline, TRACE_EXPOSURE, &(double){(double)exposure});
}
