/* scene_options.c: --camera, --look, and what light takes. */
#include "app/scene_options.h"

#include "app/common_options.h"
#include "core/scene/look.h"

enum { KEY_CAMERA = 0x4000, KEY_LOOK, KEY_SAMPLES, KEY_SEED, KEY_DEPTH, KEY_EXPOSURE };

static const struct argp_option argp_options[] = {
    {"camera", KEY_CAMERA, "CAMERA", 0,
     "the camera (the scene's, or orthographic), as in perspective=x=300:z=1500:angle=30", 0},
    {"look", KEY_LOOK, "LOOK", 0, "shading mode (classic): `glint list looks`", 0},
    {"samples", KEY_SAMPLES, "N", 0, "samples per pixel, of light (16 for paths, 1 for whitted)", 0},
    {"seed", KEY_SEED, "N", 0, "seed of the random numbers of light (1)", 0},
    {"depth", KEY_DEPTH, "N", 0,
     "maximum number of surfaces that scatter light (no limit for paths; 5 for whitted, up to 16)", 0},
    {"exposure", KEY_EXPOSURE, "X", 0, "a factor on light (1)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    SceneOptions *scene_options = state->input;
    Status status = STATUS_OK;
    switch (key) {
    case KEY_CAMERA:
        status = camera_parse(text, &scene_options->camera);
        scene_options->chosen = text;
        break;
    case KEY_LOOK:
        status = look_parse(text, &scene_options->look);
        break;
    case KEY_SAMPLES:
        scene_options->sampling.samples = (uint32_t)common_whole(state, "samples", text, 1, SAMPLES_MAX);
        break;
    case KEY_SEED:
        scene_options->sampling.seed = (uint32_t)common_whole(state, "seed", text, 0, UINT32_MAX);
        break;
    case KEY_DEPTH:
        scene_options->sampling.depth = (uint32_t)common_whole(state, "depth", text, 1, 1000000);
        break;
    case KEY_EXPOSURE:
        scene_options->exposure = (float)common_number(state, "exposure", text, 1e-6, 1e6);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (status != STATUS_OK)
        say_usage(state, "%s", status_message());
    return 0;
}

const struct argp scene_options_argp = {argp_options, parse, NULL, NULL, NULL, NULL, NULL};

const SceneOptions scene_options_defaults = {
    .camera = {.kind = CAMERA_ORTHOGRAPHIC, .unit = 1}, .sampling.seed = 1, .exposure = 1};

TraceJob scene_options_job(const Scene *scene, const SceneOptions *scene_options) {
    TraceJob job = {.scene = scene,
                    .camera = scene_options->camera,
                    .look = scene_options->look,
                    .sampling = scene_options->sampling};
    if (!scene_options->chosen && scene->has_viewpoint)
        (void)camera_from(scene->viewpoint, &job.camera); /* which leaves the camera as it was where it fails */
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
