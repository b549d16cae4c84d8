/* scene_thumbnail.c: a trace of few samples on the CPU. */
#include "app/view/ui/scene_thumbnail.h"

#include "app/cameras/orbit_camera.h"
#include "app/view/session/subject.h"
#include "app/view/session/yardsticks.h"
#include "core/scene/particles/trajectory.h"
#include "core/scene/scene_text.h"
#include "core/tracer/progressive.h"

#include <math.h>

enum {
    SAMPLES = 16,           /* of light */
    PRIMITIVES_MAX = 500000 /* of a scene: more take longer to sort than anybody waits for a thumbnail */
};

static Status trace(const Measurement *job, Image **made) {
    Plan *plan;
    Pipeline *pipeline;
    Progressive progressive;
    Spans unrecorded = {0};
    TRY(view_plan(job, job->shape.width, job->shape.height, &plan));
    TRY(pipeline_create(job->device, plan, "best", &pipeline));
    progressive_begin(&progressive, pipeline);
    if (look_is_light(job->look))
        progressive.samples = SAMPLES;
    Status status = progressive_all(&progressive, &unrecorded);
    if (status == STATUS_OK)
        status = image_create(pipeline_result_shape(pipeline), made);
    if (status == STATUS_OK)
        status = pipeline_download(pipeline, (*made)->view);
    pipeline_destroy(&pipeline);
    return status;
}

/* As the window looks at a scene that it opens (viewer_open_scene), with as much exposure as suits its light. */
static Status look_at(Device *device, const Chain *none, const Scene *scene, Shape shape, Image **made) {
    const int width = (int)shape.width, height = (int)shape.height;
    const Area area = {0, 0, width, height};
    const bool light = scene_is_of_light(scene);
    OrbitCamera orbit = orbit_camera_default();
    double stops = 0;
    orbit_camera_reset(&orbit, scene, area, width, height);
    if (!scene->has_viewpoint)
        orbit_camera_fit(&orbit, scene, area, width, height);
    Measurement job = {.device = device,
                       .chain = none,
                       .options = {.border = {BORDER_CLAMP, 0}},
                       .scene = scene,
                       .camera = orbit.camera,
                       .look = light ? LOOK_PATHS : LOOK_CLASSIC,
                       .gathering = gathering_default(),
                       .exposure = 1,
                       .shape = shape};
    if (light)
        TRY(measurement_exposure(&job, &stops));
    job.exposure = (float)exp2(stops);
    job.gathering.denoise = light;
    return trace(&job, made);
}

static Status open_small(const char *text, Scene **scene) {
    TRY(trajectory_open_scene(text, scene));
    const size_t count = scene_primitives(*scene);
    if (count <= PRIMITIVES_MAX)
        return STATUS_OK;
    scene_destroy(scene);
    return fail(STATUS_INPUT, "%s: %zu primitives are too many for a thumbnail", text, count);
}

Status thumbnail_of_scene(const char *text, size_t width, size_t height, Image **thumbnail) {
    const char *passed_over;
    Scene *scene;
    Device *device = NULL;
    Chain *none = NULL;
    TRY(open_small(text, &scene));
    Status status = backend_open("cpu", 0, 1, &device, &passed_over);
    if (status == STATUS_OK)
        status = chain_parse("", &none);
    if (status == STATUS_OK)
        status = look_at(device, none, scene, (Shape){width, height, 3, PIXEL_U8}, thumbnail);
    if (none)
        chain_destroy(&none);
    if (device)
        device_close(&device);
    scene_destroy(&scene);
    return status;
}
