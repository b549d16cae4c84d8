/* surfaces.c: the cost of seeing surfaces, and the tolerance between levels. */
#include "core/tracer/surfaces.h"

#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/scene/scene_open.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdio.h>

static void job_free(void *job) {
    scene_destroy(&((SurfacesJob *)job)->owned);
}

static Status shape(const void *job, const Shape in[STAGE_INPUTS], PixelType type, Shape *out) {
    const SurfacesJob *surfaces = job;
    (void)in;
    if (type != PIXEL_F32)
        return fail(STATUS_USAGE, "surfaces are f32, not %s", pixel_type_name(type));
    *out = (Shape){surfaces->width, 2 * surfaces->height, 4, PIXEL_F32};
    return STATUS_OK;
}

/* As a trace, of which it is the beginning. */
static Cost cost(const Stage *stage) {
    const SurfacesJob *job = surfaces_job(stage);
    const double rays = (double)job->width * (double)job->height * (double)job->samples;
    return (Cost){(double)shape_bytes(stage->out.shape) + (double)job->scene->count * (double)sizeof(Sphere) +
                      (double)job->scene->triangle_count * (double)sizeof(Triangle) +
                      (double)job->scene->cylinder_count * (double)sizeof(Cylinder),
                  (6 * ((double)job->scene->count + 1) + 30 * (double)job->scene->triangle_count +
                   40 * (double)job->scene->cylinder_count) *
                      rays};
}

/* One pixel in a hundred may show something else. Rays behind mirrors and glass depend on the last bits of the places
 * where they hit these. */
static Verdict compare(const Stage *stage, double max_in, ImageView want, ImageView got) {
    const double close = 1e-3;
    Verdict verdict = {.allowed = close};
    size_t astray = 0;
    (void)stage, (void)max_in;
    for (size_t y = 0; y < want.shape.height; y++)
        for (size_t x = 0; x < want.shape.width; x++) {
            const Verdict found = verdict_count(view_crop(want, x, y, 1, 1), view_crop(got, x, y, 1, 1));
            verdict.values += found.values;
            if (found.worst > close && ++astray <= 1 + want.shape.width * want.shape.height / 100)
                continue;
            verdict.differing += found.differing;
            verdict.worst = fmax(verdict.worst, found.worst);
        }
    verdict.agrees = verdict.worst <= close;
    return verdict;
}

static size_t describe(const void *job, char *buffer, size_t size) {
    const SurfacesJob *surfaces = job;
    char count[64];
    scene_count_text(surfaces->scene, count, sizeof count);
    return (size_t)snprintf(buffer, size, "%s, %s, %u rays a pixel", count, cameras[surfaces->camera.kind].name,
                            surfaces->samples);
}

static const struct {
    const char *scene;
    uint32_t samples;
} examples[] = {{"packed", 1}, {"spheres", 2}, {"sphereflake=2", 4}};

static Status example(size_t index, Shape in, void *job) {
    SurfacesJob *surfaces = job;
    if (in.type != PIXEL_F32 || in.channels != 4)
        return fail(STATUS_USAGE, "surfaces are f32x4, not %sx%d", pixel_type_name(in.type), in.channels);
    *surfaces = (SurfacesJob){.camera = camera_default(),
                              .samples = examples[index].samples,
                              .seed = 1,
                              .width = in.width,
                              .height = in.height};
    TRY(scene_open(examples[index].scene, &surfaces->owned));
    surfaces->scene = surfaces->owned;
    surfaces->camera.unit = 1000.0f / (float)in.width;
    if (surfaces->scene->has_viewpoint)
        (void)camera_from(surfaces->scene->viewpoint, &surfaces->camera); /* else the camera stays as it is */
    return STATUS_OK;
}

const Op op_surfaces = {
    .name = "surfaces",
    .help = "the direction, the distance and the reflected share of light of each pixel's surface",
    .inputs = 0,
    .job_bytes = sizeof(SurfacesJob),
    .accumulates = true, /* it is made once for many pictures */
    .job_free = job_free,
    .shape = shape,
    .cost = cost,
    .compare = compare,
    .describe = describe,
    .example = example,
    .example_count = sizeof examples / sizeof examples[0],
    .pixels = "f32x4",
};
