/* scene_options.h: the options that say how a scene is seen: --camera, --look, --samples and so on. */
#ifndef GLINT_APP_SCENE_OPTIONS_H
#define GLINT_APP_SCENE_OPTIONS_H

#include "core/param/option.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/tracer/trace.h"

typedef struct SceneOptions {
    Camera camera;
    const char *chosen; /* the camera as it was asked for, or NULL: then the scene may have one */
    Look look;
    bool takes_figure, figure; /* whether "figure" is a look, and was chosen: paths in the light of figures */
    Sampling sampling;         /* samples, depth: 0: the look's defaults */
    float exposure;
} SceneOptions;

extern const SceneOptions scene_options_defaults;

/* The job; `scene` is borrowed. */
TraceJob scene_options_job(const Scene *scene, const SceneOptions *scene_options);
/* The point that the middle of the job's picture shows. STATUS_USAGE if its camera is not perspective. */
Status scene_options_target(const Scene *scene, const SceneOptions *scene_options, Vec *target);

/* The rows, for SceneOptions that lie `offset` bytes into a command's struct. */
OptionTable scene_options_table(size_t offset);

#endif
