/* sight.h: the options that say how a scene is seen: --camera and --look. */
#ifndef GLINT_APP_SIGHT_H
#define GLINT_APP_SIGHT_H

#include "core/camera.h"

#include <argp.h>

typedef struct Sight {
    Camera camera;
    Look look;
} Sight;

extern const struct argp sight_argp; /* its input is a Sight */

#endif
