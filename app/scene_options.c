/* scene_options.c: --camera, --look, and the options of light. */
#include "app/scene_options.h"

#include "core/scene/look.h"

#include <stdio.h>
#include <string.h>

enum { FIGURE_SAMPLES = 64 };

static Status read_camera(const char *text, void *values) {
    SceneOptions *options = values;
    options->chosen = text;
    return camera_parse(text, &options->camera);
}

static Status read_look(const char *text, void *values) {
    SceneOptions *options = values;
    return options->takes_figure ? look_parse_figure(text, &options->look, &options->figure)
                                 : look_parse(text, &options->look);
}

static int spell_camera(const void *values, char *buffer, size_t size) {
    const SceneOptions *options = values;
    return snprintf(buffer, size, "%s", options->chosen ? options->chosen : "");
}

static int spell_look(const void *values, char *buffer, size_t size) {
    const SceneOptions *options = values;
    return snprintf(buffer, size, "%s", options->figure ? FIGURE_NAME : looks[options->look].name);
}

#define AT(member) OPTION_AT(SceneOptions, member)

static const Option option_rows[] = {
    {"camera", "CAMERA", "the camera (the scene's, or orthographic), as in perspective=x=300:z=1500:angle=30",
     OPTION_OWN, .read = read_camera, .spell = spell_camera},
    {"look", "LOOK", "shading mode (classic): `glint list looks`", OPTION_OWN, .read = read_look, .spell = spell_look},
    {"samples", "N", "samples per pixel, of light (16 for paths, 64 for figure, 1 for whitted)", OPTION_WHOLE,
     AT(sampling.samples), .min = 1, .max = SAMPLES_MAX},
    {"seed", "N", "seed of the random numbers of light (1)", OPTION_WHOLE, AT(sampling.seed), .max = UINT32_MAX},
    {"depth", "N", "maximum number of surfaces that scatter light (no limit for paths; 5 for whitted, up to 16)",
     OPTION_WHOLE, AT(sampling.depth), .min = 1, .max = 1000000},
    {"exposure", "X", "a factor on light (1)", OPTION_NUMBER, AT(exposure), .min = 1e-6, .max = 1e6},
};

#undef AT

OptionTable scene_options_table(size_t offset) {
    return (OptionTable){OPTION_ROWS(option_rows), offset};
}

const SceneOptions scene_options_defaults = {
    .camera = {.kind = CAMERA_ORTHOGRAPHIC, .unit = 1}, .sampling.seed = 1, .exposure = 1};

TraceJob scene_options_job(const Scene *scene, const SceneOptions *scene_options) {
    TraceJob job = {.scene = scene,
                    .camera = scene_options->camera,
                    .look = scene_options->look,
                    .sampling = scene_options->sampling};
    if (!scene_options->chosen && scene->has_viewpoint)
        (void)camera_from(scene->viewpoint, &job.camera); /* which leaves the camera as it was where it fails */
    if (job.sampling.samples == 0 && scene_options->figure)
        job.sampling.samples = FIGURE_SAMPLES;
    if (job.sampling.samples == 0)
        job.sampling.samples = looks[job.look].samples;
    if (job.sampling.depth == 0)
        job.sampling.depth = looks[job.look].depth;
    return job;
}

Status scene_options_target(const Scene *scene, const SceneOptions *scene_options, Vec *target) {
    if (scene_options->chosen || !scene->has_viewpoint)
        return camera_parse_target(
            scene_options->chosen ? scene_options->chosen : cameras[scene_options->camera.kind].name, target);
    *target = scene->viewpoint.at;
    return STATUS_OK;
}
