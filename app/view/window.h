/* window.h: the freeglut window around a viewer.
 * Owns the window, its OpenGL objects and the loop from events to pictures. */
#ifndef GLINT_APP_VIEW_WINDOW_H
#define GLINT_APP_VIEW_WINDOW_H

#include "app/view/viewer.h"
#include "app/view/x11.h"

/* Shows the viewer until the user closes the window; with a script (else NULL) runs that first. `dpi` and `hold` are
 * from x11_probe; the hold is released once freeglut has the display. STATUS_DEVICE if the window or its OpenGL
 * objects cannot be made; a script's failure ends the program. */
Status window_run(Viewer *viewer, int width, int height, const char *script, double dpi, X11Hold **hold);

#endif
