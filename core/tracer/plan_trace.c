/* plan_trace.c: the stages of a trace, and the shapes and scenes they are for. */
#include "core/tracer/plan_trace.h"

#include "core/ops/denoise.h"
#include "core/ops/keep.h"
#include "core/ops/point.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/tracer/surfaces.h"

#include <stddef.h>

static Status append_labelled(Plan *plan, const Op *op, void *job, int in, int in1, int in2, int *out) {
    plan_label(plan, op->name);
    return plan_append(plan, op, job, (const int[STAGE_INPUTS]){in, in1, in2}, PIXEL_F32, out);
}

#define BIND(plan, name, value, Job, member)                                                                           \
    plan_bind(plan, (PlanParameter){name, value, offsetof(Job, member), sizeof((Job){0}.member)})

static Status append_trace(Plan *plan, TraceJob job, PixelType type, int *out) {
    TRY(plan_append(plan, &op_trace, &job, (const int[STAGE_INPUTS]){PLAN_NONE, PLAN_NONE, PLAN_NONE}, type, out));
    TRY(BIND(plan, TRACE_CAMERA, *out, TraceJob, camera));
    return BIND(plan, TRACE_SCENE, *out, TraceJob, scene);
}

/* The film without its noise: by what it shows, and by itself when it had fewer samples. */
static Status plan_denoised(Plan *plan, const TraceJob *trace, int film, int *out) {
    SurfacesJob surfaces = {.scene = trace->scene,
                            .camera = trace->camera,
                            .samples = 1,
                            .seed = trace->sampling.seed,
                            .width = trace->width,
                            .height = trace->height};
    KeepJob keep = {false};
    DenoiseJob denoise = denoise_film_job();
    int seen, less;
    TRY(append_labelled(plan, &op_surfaces, &surfaces, PLAN_NONE, PLAN_NONE, PLAN_NONE, &seen));
    TRY(BIND(plan, TRACE_CAMERA, seen, SurfacesJob, camera));
    TRY(BIND(plan, TRACE_SCENE, seen, SurfacesJob, scene));
    TRY(append_labelled(plan, &op_keep, &keep, film, PLAN_NONE, PLAN_NONE, &less));
    return append_labelled(plan, &op_denoise, &denoise, film, seen, less, out);
}

/* Accumulated light, and the stage that makes pixels of it. */
static Status plan_light(Plan *plan, TraceJob job, TraceOptions options, Shape shape, int *out) {
    const bool linear = shape.type == PIXEL_F32;
    const PointFunction function = linear ? POINT_expose : POINT_tone;
    const double factor = (double)options.exposure, white = pixel_type_white(shape.type);
    PointJob point = point_single(function, white, &factor, 1, shape.type);
    int gathered = 0;
    point.steps[0].channels = shape.channels;
    job.channels = 4;
    TRY(append_trace(plan, job, PIXEL_F32, &gathered));
    if (options.denoise && job.look == LOOK_PATHS)
        TRY(plan_denoised(plan, &job, gathered, &gathered));
    plan_label(plan, points[function].name);
    TRY(plan_append(plan, &op_point, &point, (const int[STAGE_INPUTS]){gathered, PLAN_NONE, PLAN_NONE}, shape.type,
                    out));
    plan_set_white(plan, *out, white);
    return plan_bind(plan, (PlanParameter){TRACE_EXPOSURE, *out, offsetof(PointJob, pool), sizeof factor});
}

Status plan_trace(Plan *plan, TraceJob job, TraceOptions options, Shape shape, int *out) {
    const bool light = look_is_light(job.look);
    if ((shape.type != PIXEL_U8 && !light) || shape.channels < 3)
        return fail(STATUS_USAGE, "trace draws u8x3 or u8x4%s, not %sx%d", light ? ", u16 or f32" : "",
                    pixel_type_name(shape.type), shape.channels);
    if (job.look == LOOK_WHITTED && job.sampling.depth > DEPTH_MAX)
        return fail(STATUS_USAGE, "the look whitted has a depth of 1 to %d, not %u", DEPTH_MAX, job.sampling.depth);
    if (scene_primitives(job.scene) >= SPHERE_NONE)
        return fail(STATUS_USAGE, "the scene has %zu spheres, triangles and cylinders; there can be %u",
                    scene_primitives(job.scene), SPHERE_NONE - 1);
    if (light && job.scene->sky.kind == SKY_IMAGE && !job.scene->sky_image.texels)
        return fail(STATUS_USAGE,
                    "the scene's sky is the image \"%s\", which is not there: it is read when a scene's "
                    "file is opened",
                    job.scene->sky_file);
    plan_label(plan, op_trace.name);
    job.width = shape.width;
    job.height = shape.height;
    job.channels = shape.channels;
    return light ? plan_light(plan, job, options, shape, out) : append_trace(plan, job, shape.type, out);
}
