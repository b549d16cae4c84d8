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
    *progressive = (Progressive){.pipeline = pipeline};
    progressive->samples =
        gathers(progressive)
            ? trace_job(&plan_stage(pipeline_plan(pipeline), trace_index(pipeline))->stage)->sampling.samples
            : 1;
}

bool progressive_complete(const Progressive *progressive) {
    return progressive->done >= progressive->samples;
}

double progressive_share(const Progressive *progressive) {
    const double pass = (double)progressive->row / (double)shape_of(progressive).height;
    return ((double)progressive->done + pass * (double)progressive->pass) / (double)progressive->samples;
}

/* Chooses the next pass: its samples per pixel, and the rows per launch, so that a launch stays within `budget` samples
 * of single pixels. */
static size_t next_rows(Progressive *progressive, double budget) {
    const Shape shape = shape_of(progressive);
    const double width = (double)shape.width, height = (double)shape.height;
    if (progressive->row == 0)
        progressive->pass =
            (uint32_t)fmin(fmax(budget / (width * height), 1), (double)(progressive->samples - progressive->done));
    const double fewest = pipeline_device(progressive->pipeline)->threads;
    return (size_t)fmin(fmax(budget / (width * (double)progressive->pass), fewest),
                        (double)(shape.height - progressive->row));
}

/* Which samples the next run adds to which pixels. */
static void set_part(Pipeline *pipeline, uint32_t first, uint32_t samples, Part part) {
    TraceJob *job = pipeline_job(pipeline, trace_index(pipeline));
    job->sampling.first = first;
    job->sampling.samples = samples;
    job->part = part;
}

Status progressive_step(Progressive *progressive, double ms, Spans *spans) {
    const Shape shape = shape_of(progressive);
    const double budget = gathers(progressive) ? progressive->cost > 0 ? ms / progressive->cost : 0 : INFINITY;
    const size_t rows = next_rows(progressive, budget);
    const double start = clock_ms();
    set_part(progressive->pipeline, progressive->done, progressive->pass,
             (Part){0, progressive->row, shape.width, rows, 1});
    TRY(run_trace(progressive->pipeline, spans));
    progressive->cost = (clock_ms() - start) / ((double)shape.width * (double)rows * (double)progressive->pass);
    progressive->row += rows;
    if (progressive->row == shape.height) {
        progressive->done += progressive->pass;
        progressive->row = 0;
    }
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
    progressive->cost = (clock_ms() - start) * (double)(part.coarseness * part.coarseness) / all;
    progressive->done = 0;
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

void progressive_set_exposure(Pipeline *pipeline, float exposure) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        if (pipeline_stage(pipeline, i)->op == &op_point) {
            PointJob *job = pipeline_job(pipeline, i);
            for (int k = 0; k < job->count; k++)
                if (points[job->steps[k].function].reach == POINT_LIGHT)
                    job->pool[job->steps[k].parameters] = (double)exposure;
        }
}
