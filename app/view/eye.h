/* eye.h: from where a scene is looked at, and how hands move that.
 * Owns the window's camera: orthographic, which is moved and magnified, or perspective, which orbits about a point. */
#ifndef GLINT_APP_VIEW_EYE_H
#define GLINT_APP_VIEW_EYE_H

#include "app/view/placement.h"
#include "core/camera.h"
#include "core/scene.h"

typedef struct Eye {
    Camera camera;              /* what follows from the rest */
    bool fitted;                /* it follows the window's size */
    bool orbits;                /* perspective */
    Vec target, up;             /* what it orbits about, and which axis */
    float angle;                /* degrees that the window's height takes */
    float distance, yaw, pitch; /* from there: world units, and radians to the right and up */
} Eye;

/* The default: the course's. */
Eye eye_default(void);
/* Moves back until the whole scene is in the middle of `area`, a part of the window. */
void eye_fit(Eye *eye, const Scene *scene, Area area, int width, int height);
/* From where the scene itself wants to be seen; else one world unit a pixel, or in perspective as eye_fit. */
void eye_reset(Eye *eye, const Scene *scene, Area area, int width, int height);
/* Changes between orthographic and perspective, and fits. */
void eye_switch(Eye *eye, const Scene *scene, Area area, int width, int height);
/* `x` and `y` are pixels from the window's middle, right and down; what is there stays there (perspective: the middle).
 * Closer for factors above 1. */
void eye_zoom(Eye *eye, double factor, double x, double y);
/* By pixels of a window of this height. */
void eye_pan(Eye *eye, double dx, double dy, int height);
/* Perspective; orthographic pans instead. */
void eye_orbit(Eye *eye, double dx, double dy, int height);

#endif
