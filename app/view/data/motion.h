/* motion.h: the clock of a scene whose spheres move. */
#ifndef GLINT_APP_VIEW_DATA_MOTION_H
#define GLINT_APP_VIEW_DATA_MOTION_H

#include <stdbool.h>

#define MOTION_STEP_MAX 100.0 /* ms that a frame moves the clock at most: after a long one, nothing leaps */

typedef struct Motion {
    bool on;
    double time; /* seconds, the scene's */
    double seen; /* clock_ms of the last frame; 0: none since the clock was set going */
} Motion;

/* Stops the clock, or lets it go on from where it stands. */
void motion_toggle(Motion *motion);
/* The scene's time in the frame that begins `now` (clock_ms). */
double motion_time(Motion *motion, double now);

#endif
