/* progressive.c: passes and bands. */
#include "core/progressive.h"

#include <math.h>

enum { COARSEST = 8 }; /* pixels a side of a preview's blocks */

#define STEP_MS 100.0 /* of progressive_all */

static size_t trace_index(const Pipeline *pipeline) {
    return pipeline_find_stage(pipeline, &op_trace);
}

static Status run_trace(Pipeline *pipeline, Spans *spans) {
    const size_t index = trace_index(pipeline);
    return pipeline_run_stages(pipeline, index, index + 1, spans);
}

static Shape shape_of(const Progressive *progressive) {
    return pipeline_stage(progressive->pipeline, trace_index(progressive->pipeline))->out.shape;
}

static bool gathers(const Progressive *progressive) {
    return look_is_light(trace_job(pipeline_stage(progressive->pipeline, trace_index(progressive->pipeline)))->look);
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
    const double pass = (double)progressive->row / (double)shape_of(progressive).height;
    if (progressive->coarse > 1) /* next to nothing */
        return 0;
    return ((double)progressive->done + pass * (double)progressive->pass) / (double)progressive->samples;
}

/* The blocks that a part has. */
static double blocks_of(Part part) {
    return ceil((double)part.width / (double)part.coarseness) * (double)part_rows(part);
}

/* Chooses the next pass: its samples per pixel, and the band of rows where it goes on, so that a step stays within
 * `budget` samples of single pixels. Blocks get one sample each, half as coarse as those that are there. */
static Part next_part(Progressive *progressive, double budget) {
    const Shape shape = shape_of(progressive);
    const size_t side = progressive->coarse > 1 ? progressive->coarse / 2 : 1;
    Part part = {0, progressive->row, shape.width, shape.height - progressive->row, side};
    const double whole = blocks_of((Part){0, 0, shape.width, shape.height, side});
    if (progressive->row == 0 && side > 1)
        progressive->pass = 1;
    else if (progressive->row == 0)
        progressive->pass = (uint32_t)fmin(fmax(budget / whole, 1), (double)(progressive->samples - progressive->done));
    const double fewest = pipeline_device(progressive->pipeline)->threads;
    const double row = blocks_of((Part){0, 0, shape.width, 1, side}) * (double)progressive->pass;
    part.height = (size_t)fmin(fmax(floor(budget / row), fewest) * (double)side, (double)part.height);
    return part;
}

/* Which samples the next run adds to which pixels. */
static void set_part(Pipeline *pipeline, uint32_t first, uint32_t samples, Part part) {
    TraceJob *job = pipeline_job(pipeline, trace_index(pipeline));
    job->sampling.first = first;
    job->sampling.samples = samples;
    job->part = part;
}

/* All rows have what the pass adds. */
static void end_pass(Progressive *progressive, size_t side) {
    progressive->row = 0;
    progressive->coarse = side;
    progressive->done += side == 1 ? progressive->pass : 0;
}

Status progressive_step(Progressive *progressive, double ms, Spans *spans) {
    const double budget = gathers(progressive) ? progressive->cost > 0 ? ms / progressive->cost : 0 : INFINITY;
    const Part part = next_part(progressive, budget);
    const double start = clock_ms();
    set_part(progressive->pipeline, progressive->done, progressive->pass, part);
    TRY(run_trace(progressive->pipeline, spans));
    progressive->cost = (clock_ms() - start) / (blocks_of(part) * (double)progressive->pass);
    progressive->row += part.height;
    if (progressive->row == shape_of(progressive).height)
        end_pass(progressive, part.coarseness);
    return STATUS_OK;
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
    progressive->coarse = part.coarseness;
    progressive->done = part.coarseness == 1 ? 1 : 0;
    progressive->row = 0;
    return STATUS_OK;
}

Status progressive_show(Progressive *progressive, Spans *spans) {
    return pipeline_run_stages(progressive->pipeline, trace_index(progressive->pipeline) + 1,
                               pipeline_stage_count(progressive->pipeline), spans);
}

Status progressive_all(Progressive *progressive, Spans *spans) {
    while (!progressive_complete(progressive))
        TRY(progressive_step(progressive, STEP_MS, spans));
    return progressive_show(progressive, spans);
}

void progressive_set_camera(Pipeline *pipeline, Camera camera) {
    TraceJob *job = pipeline_job(pipeline, trace_index(pipeline));
    job->camera = camera;
}

void progressive_set_scene(Pipeline *pipeline, const Scene *scene) {
    TraceJob *job = pipeline_job(pipeline, trace_index(pipeline));
    job->scene = scene;
}

void progressive_set_exposure(Pipeline *pipeline, float exposure) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        if (pipeline_stage(pipeline, i)->op == &op_point) {
            PointJob *job = pipeline_job(pipeline, i);
            for (int k = 0; k < job->count; k++)
                if (points[job->steps[k].function].reach == POINT_LIGHT)
                    job->pool[job->steps[k].parameters] = (double)exposure;
        }
}
