/* window.h: the freeglut window around a viewer.
 * Owns the window, its OpenGL objects and the loop from events to pictures. */
#ifndef GLINT_APP_VIEW_WINDOW_H
#define GLINT_APP_VIEW_WINDOW_H

#include "app/view/viewer.h"

/* Shows the viewer until the user closes the window; with a script (else NULL) runs that first. STATUS_DEVICE without a
 * display or OpenGL 3.3; a script's failure ends the program. */
Status window_run(Viewer *viewer, int width, int height, const char *script);

#endif
