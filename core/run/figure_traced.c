/* figure_traced.c: the light, its masks, and the way from them to the filters. */
#include "core/run/figure_traced.h"

#include "core/ops/point.h"
#include "core/run/traced_rows.h"
#include "core/scene/figure_light.h"
#include "core/scene/scene_parts.h"
#include "core/scene/shading_context.h"

#include <math.h>
#include <string.h>

enum { BAND_BYTES = 8 << 20 };

/* ---- plans ---- */

Status figure_plan(Plan *plan, TraceJob job, TraceOptions options, Shape made, int *figure) {
    int light;
    TRY(plan_trace(plan, job, options, (Shape){made.width, made.height, 3, PIXEL_F32}, &light));
    TRY(plan_source(plan, made, figure));
    plan_set_result(plan, *figure);
    return STATUS_OK;
}

/* The stage that makes light of films: the first of points, since filters come behind the figure. */
static size_t light_stage(const Pipeline *pipeline) {
    return pipeline_find_stage(pipeline, &op_point);
}

Status figure_light_shown(Progressive *progressive, ImageView light, Spans *spans) {
    Pipeline *pipeline = progressive->pipeline;
    const Backend *backend = pipeline_device(pipeline)->backend;
    const size_t index = light_stage(pipeline);
    TRY(progressive_show_until(progressive, index + 1, spans));
    TRY(backend->download(pipeline_queue(pipeline), pipeline_stage(pipeline, index)->out, light));
    return backend->sync(pipeline_queue(pipeline));
}

Status figure_filtered(Pipeline *pipeline, ImageView figure, Spans *spans) {
    TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, figure));
    return pipeline_run_stages(pipeline, light_stage(pipeline) + 1, pipeline_stage_count(pipeline), spans);
}

/* ---- masks ---- */

/* All of a scene's light in a picture, by the samples of another one. */
static Status trace_light(const FigureTrace *trace, const Scene *scene, float exposure, Shape shape, Image **light) {
    const StripRoom room = {.wanted = BAND_BYTES, .max = SIZE_MAX};
    TraceJob job = trace->job;
    TracedRows rows;
    Spans spans = {0};
    job.scene = scene;
    job.look = LOOK_PATHS;
    job.sampling.depth = 1;
    TRY(image_create(shape, light));
    Status status = traced_rows_open(trace->device, job, exposure, shape, (PlanOptions){.device = trace->device},
                                     "best", room, &rows);
    if (status == STATUS_OK) {
        rows.spans = &spans;
        pipeline_queue(rows.pipeline)->stop = trace->stop;
        status = rows.source.rewind(&rows.source);
        if (status == STATUS_OK)
            status = rows.source.read(&rows.source, (*light)->view);
        traced_rows_close(&rows);
    }
    if (status != STATUS_OK)
        image_destroy(light);
    return status;
}

/* The sky that shows, which is not the scene's own where nothing in that shines. */
static Status find_sky(const Scene *scene, Sky *sky) {
    ShadingContext context;
    TRY(shading_context_create(scene, &context));
    *sky = context.sky;
    shading_context_free(&context);
    return STATUS_OK;
}

static Status trace_past(const FigureTrace *trace, Shape shape, Image **past) {
    const Scene *scene = trace->job.scene;
    Scene *copy;
    Sky sky;
    TRY(find_sky(scene, &sky));
    if (sky.kind == SKY_NONE)
        return image_create(shape, past);
    TRY(figure_past_scene(scene, &copy));
    copy->sky = sky;
    const Status status = trace_light(trace, copy, trace->exposure, shape, past);
    scene_copy_free(scene, &copy);
    return status;
}

static Status trace_mask(const FigureTrace *trace, Shape shape, Image **mask) {
    const Scene *scene = trace->job.scene;
    Scene *copy;
    TRY(figure_mask_scene(scene, trace->shadow, &copy));
    const Status status = trace_light(trace, copy, 1, shape, mask);
    scene_copy_free(scene, &copy);
    return status;
}

static Status trace_layers(const FigureTrace *trace, size_t width, size_t height, Layers *layers) {
    const unsigned kinds = trace->layers | layers->kinds;
    if (kinds == layers->kinds)
        return STATUS_OK;
    layers_free(layers);
    return layers_trace(trace->device, &trace->job, width, height, kinds, trace->stop, layers);
}

Status figure_parts_trace(const FigureTrace *trace, size_t width, size_t height, FigureParts *parts) {
    const Shape shape = {width, height, 3, PIXEL_F32};
    TRY(trace_layers(trace, width, height, &parts->layers));
    if (!parts->mask)
        TRY(trace_mask(trace, shape, &parts->mask));
    return parts->past ? STATUS_OK : trace_past(trace, shape, &parts->past);
}

void figure_parts_free(FigureParts *parts) {
    image_destroy(&parts->mask);
    image_destroy(&parts->past);
    layers_free(&parts->layers);
}

Status figure_of_light(const FigureTrace *trace, const FigureParts *parts, const Figure *figure, ImageView light,
                       ImageView to) {
    const FigureLight from = {light, parts->mask->view, parts->past->view};
    Figure made = *figure;
    if (made.shadow)
        made.open = vec_times(figure_open(trace->job.scene), trace->exposure);
    return figure_make(&made, &from, &parts->layers, to);
}

static void mask_row(ImageView light, float sky, size_t y, ImageView mask, ImageView past) {
    const float *row = view_row(light, y);
    float *to_mask = view_row(mask, y), *to_past = view_row(past, y);
    for (size_t i = 0; i < 3 * light.shape.width; i += 3)
        if (fabsf(row[i] - sky) + fabsf(row[i + 1] - sky) + fabsf(row[i + 2] - sky) < 1e-4F * sky) {
            to_mask[i] = 1;
            memcpy(to_past + i, row + i, 3 * sizeof *row);
        }
}

Status figure_draft(const FigureTrace *trace, const Figure *figure, ImageView light, ImageView to) {
    FigureParts parts = {.mask = NULL};
    Figure bare = *figure;
    Status status = image_create(light.shape, &parts.mask);
    if (status == STATUS_OK)
        status = image_create(light.shape, &parts.past);
    bare.outline = bare.cue = 0;
    bare.shadow = false;
    if (status == STATUS_OK) {
        for (size_t y = 0; y < light.shape.height; y++)
            mask_row(light, figure_sky() * trace->exposure, y, parts.mask->view, parts.past->view);
        status = figure_of_light(trace, &parts, &bare, light, to);
    }
    figure_parts_free(&parts);
    return status;
}
