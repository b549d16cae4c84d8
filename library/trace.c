/* trace.c: scenes into the caller's pixels. */
#include "library/carry.h"

#include "core/base/memory.h"
#include "core/scene/camera.h"
#include "core/scene/look.h"
#include "core/tracer/plan_trace.h"
#include "core/tracer/progressive.h"

#define STEP_MS 50.0

enum { SIDE = 1024 }; /* pixels, by default */

typedef struct Tracing {
    GlintTraceOptions options;
    Shape shape;
    TraceJob job;
    TraceOptions light;
    Carrier carrier;
    Pipeline *pipeline;
    Pictures out;
} Tracing;

static Status read_camera(const Scene *scene, const char *text, Camera *camera) {
    *camera = camera_default();
    if (text)
        return camera_parse(text, camera);
    if (scene->has_viewpoint)
        (void)camera_from(scene->viewpoint, camera); /* the camera stays as it was where that fails */
    return STATUS_OK;
}

static Status check_light(const Tracing *tracing) {
    const GlintTraceOptions *options = &tracing->options;
    const LookInfo *look = &looks[tracing->job.look];
    if (options->samples > SAMPLES_MAX)
        return fail(STATUS_USAGE, "samples: %u, want 1 to %d, or 0", options->samples, SAMPLES_MAX);
    if (!(options->exposure >= 0 && options->exposure <= 1e6f))
        return fail(STATUS_USAGE, "exposure: %g, want 0 to 1e6", (double)options->exposure);
    if (options->denoise && tracing->job.look != LOOK_PATHS)
        return fail(STATUS_USAGE, "denoise: the look %s has no noise; want the look paths", look->name);
    return STATUS_OK;
}

static Status read_options(const GlintTraceOptions *theirs, const Scene *scene, Tracing *tracing) {
    GlintTraceOptions *options = &tracing->options;
    *options = (GlintTraceOptions)GLINT_TRACE_OPTIONS;
    TRY(library_take("trace options", theirs, options));
    const GlintShape shape = {options->width ? options->width : SIDE, options->height ? options->height : SIDE, 3,
                              options->type};
    TRY(library_shape(&shape, &tracing->shape));
    tracing->job = (TraceJob){.scene = scene};
    if (options->look)
        TRY(look_parse(options->look, &tracing->job.look));
    const LookInfo *look = &looks[tracing->job.look];
    TRY(read_camera(scene, options->camera, &tracing->job.camera));
    TRY(check_light(tracing));
    tracing->job.sampling = (Sampling){.samples = options->samples ? options->samples : look->samples,
                                       .seed = options->seed ? options->seed : 1,
                                       .depth = options->depth ? options->depth : look->depth};
    tracing->light = (TraceOptions){options->exposure > 0 ? options->exposure : 1, options->denoise != 0};
    return STATUS_OK;
}

static Status make_pipeline(Tracing *tracing) {
    const GlintTraceOptions *options = &tracing->options;
    Device *device = tracing->carrier.device;
    Plan *plan;
    int picture;
    TRY(plan_create((PlanOptions){.border = {BORDER_CLAMP, 0}, .device = device}, &plan));
    const Status status = plan_trace(plan, tracing->job, tracing->light, tracing->shape, &picture);
    if (status != STATUS_OK) {
        plan_destroy(&plan);
        return status;
    }
    return pipeline_create(device, plan, options->level ? options->level : "best", &tracing->pipeline);
}

static Status gather(const Tracing *tracing) {
    const GlintTraceOptions *options = &tracing->options;
    Spans spans = {0};
    Progressive progressive;
    progressive_begin(&progressive, tracing->pipeline);
    while (!progressive_complete(&progressive)) {
        TRY(progressive_step(&progressive, STEP_MS, &spans));
        if (options->progress && options->progress(options->context, progressive_share(&progressive)) != 0)
            return fail(STATUS_INTERRUPTED, "the trace was stopped");
        spans_clear(&spans);
    }
    return progressive_show(&progressive, &spans);
}

static Status trace_there(Tracing *tracing) {
    TRY(carry_check(&tracing->carrier, "out", &tracing->out));
    Status status = make_pipeline(tracing);
    if (status == STATUS_OK) {
        tracing->carrier.queue = pipeline_queue(tracing->pipeline);
        status = gather(tracing);
    }
    if (status == STATUS_OK)
        status = carry_out(&tracing->carrier, pipeline_result(tracing->pipeline), &tracing->out, tracing->out.first);
    if (status == STATUS_OK)
        status = tracing->carrier.device->backend->sync(tracing->carrier.queue);
    pipeline_destroy(&tracing->pipeline);
    return status;
}

static Status trace(GlintDevice *device, const GlintScene *scene, const GlintTraceOptions *options,
                    const GlintPixels *out) {
    Tracing tracing = {0};
    TRY(library_alive("device", device, device ? device->life : 0));
    TRY(library_given("glint_trace", "scene", scene));
    TRY(read_options(options, scene->scene, &tracing));
    TRY(library_pictures("out", tracing.shape, 1, out, true, &tracing.out));
    tracing.carrier.device = device->device;
    const Entered entered = library_enter(device);
    const Status status = trace_there(&tracing);
    library_leave(entered);
    return status;
}

GlintStatus glint_trace(GlintDevice *device, const GlintScene *scene, const GlintTraceOptions *options,
                        const GlintPixels *out, GlintError *error) {
    return library_settle(trace(device, scene, options, out), error);
}
