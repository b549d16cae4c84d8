/* render.c: passes and bands. */
#include "core/render.h"

#include <math.h>

enum { COARSEST = 8 }; /* pixels a side of a preview's blocks */

#define STEP_MS 100.0 /* of render_all */

static Shape shape_of(const Render *render) {
    return pipeline_stage(render->pipeline, 0)->out.shape;
}

static bool gathers(const Render *render) {
    return look_is_light(trace_job(pipeline_stage(render->pipeline, 0))->look);
}

void render_begin(Render *render, Pipeline *pipeline) {
    *render = (Render){.pipeline = pipeline};
    render->samples = gathers(render) ? trace_job(&plan_stage(pipeline_plan(pipeline), 0)->stage)->sampling.samples : 1;
}

bool render_complete(const Render *render) {
    return render->done >= render->samples;
}

double render_share(const Render *render) {
    const double pass = (double)render->row / (double)shape_of(render).height;
    return ((double)render->done + pass * (double)render->pass) / (double)render->samples;
}

/* How many samples a pixel the next pass adds, and how many rows of it are taken at once, for `room` samples of single
 * pixels. */
static size_t next_rows(Render *render, double room) {
    const Shape shape = shape_of(render);
    const double width = (double)shape.width, height = (double)shape.height;
    if (render->row == 0)
        render->pass = (uint32_t)fmin(fmax(room / (width * height), 1), (double)(render->samples - render->done));
    const double fewest = pipeline_device(render->pipeline)->threads;
    return (size_t)fmin(fmax(room / (width * (double)render->pass), fewest), (double)(shape.height - render->row));
}

/* Which samples the next run adds to which pixels. */
static void set_part(Pipeline *pipeline, uint32_t first, uint32_t samples, Part part) {
    TraceJob *job = pipeline_job(pipeline, 0);
    job->sampling.first = first;
    job->sampling.samples = samples;
    job->part = part;
}

Status render_step(Render *render, double ms, Spans *spans) {
    const Shape shape = shape_of(render);
    const double room = gathers(render) ? render->cost > 0 ? ms / render->cost : 0 : INFINITY;
    const size_t rows = next_rows(render, room);
    const double start = clock_ms();
    set_part(render->pipeline, render->done, render->pass, (Part){0, render->row, shape.width, rows, 1});
    TRY(pipeline_run_stages(render->pipeline, 0, 1, spans));
    render->cost = (clock_ms() - start) / ((double)shape.width * (double)rows * (double)render->pass);
    render->row += rows;
    if (render->row == shape.height) {
        render->done += render->pass;
        render->row = 0;
    }
    return STATUS_OK;
}

Status render_preview(Render *render, double ms, Spans *spans) {
    const Shape shape = shape_of(render);
    const double all = (double)shape.width * (double)shape.height;
    Part part = {0, 0, shape.width, shape.height, COARSEST};
    while (render->cost > 0 && part.coarseness > 1 &&
           render->cost * all / (double)(part.coarseness * part.coarseness / 4) <= ms)
        part.coarseness /= 2;
    const double start = clock_ms();
    set_part(render->pipeline, 0, 1, part);
    TRY(pipeline_run_stages(render->pipeline, 0, 1, spans));
    render->cost = (clock_ms() - start) * (double)(part.coarseness * part.coarseness) / all;
    render->done = 0;
    render->row = 0;
    return STATUS_OK;
}

Status render_show(Render *render, Spans *spans) {
    return pipeline_run_stages(render->pipeline, 1, pipeline_stage_count(render->pipeline), spans);
}

Status render_all(Render *render, Spans *spans) {
    while (!render_complete(render))
        TRY(render_step(render, STEP_MS, spans));
    return render_show(render, spans);
}

void render_set_camera(Pipeline *pipeline, Camera camera) {
    TraceJob *job = pipeline_job(pipeline, 0);
    job->camera = camera;
}

void render_set_exposure(Pipeline *pipeline, float exposure) {
    for (size_t i = 0; i < pipeline_stage_count(pipeline); i++)
        if (pipeline_stage(pipeline, i)->op == &op_point) {
            PointJob *job = pipeline_job(pipeline, i);
            if (job->function == POINT_expose || job->function == POINT_tone)
                job->parameters[0] = (double)exposure;
        }
}
