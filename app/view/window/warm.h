/* warm.h: OpenGL in software compiles a program when it is first drawn with, for 30 to 90 ms, and keeps it on the disk.
 * A thread of low priority does that ahead, in a context of its own, so that the window's draws find it there. */
#ifndef GLINT_APP_VIEW_WINDOW_WARM_H
#define GLINT_APP_VIEW_WINDOW_WARM_H

typedef struct Warm Warm;

/* Begins for windows like the one whose context is current. NULL where that would gain nothing, or fails. */
Warm *warm_begin(void);
void warm_end(Warm **warm); /* stops it; accepts NULL */

#endif
