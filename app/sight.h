/* sight.h: the options that say how a scene is seen: --camera, --look, --samples and so on. */
#ifndef GLINT_APP_SIGHT_H
#define GLINT_APP_SIGHT_H

#include "core/stage.h"

#include <argp.h>

typedef struct Sight {
    Camera camera;
    bool chosen; /* the camera was asked for; else the scene may have one */
    Look look;
    Sampling sampling; /* samples, depth: 0: what is usual for the look */
    float exposure;
} Sight;

extern const Sight sight_usual;

/* The job; `scene` is borrowed. */
TraceJob trace_job(const Scene *scene, const Sight *sight);

extern const struct argp sight_argp; /* its input is a Sight */

#endif
