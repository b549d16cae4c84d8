/* sight.h: the options that say how a scene is seen: --camera, --look, --samples and so on. */
#ifndef GLINT_APP_SIGHT_H
#define GLINT_APP_SIGHT_H

#include "core/camera.h"
#include "core/ops/trace.h"
#include "core/scene.h"

#include <argp.h>

typedef struct Sight {
    Camera camera;
    const char *chosen; /* the camera as it was asked for, or NULL: then the scene may have one */
    Look look;
    Sampling sampling; /* samples, depth: 0: the look's defaults */
    float exposure;
} Sight;

extern const Sight sight_defaults;

/* The job; `scene` is borrowed. */
TraceJob sight_job(const Scene *scene, const Sight *sight);
/* What the middle of the job's picture looks at. STATUS_USAGE if its camera is not perspective. */
Status sight_target(const Scene *scene, const Sight *sight, Vec *target);

extern const struct argp sight_argp; /* its input is a Sight */

#endif
