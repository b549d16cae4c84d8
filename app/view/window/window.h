/* window.h: the window around a viewer.
 * Owns the window, its OpenGL objects and the loop from events to pictures. */
#ifndef GLINT_APP_VIEW_WINDOW_WINDOW_H
#define GLINT_APP_VIEW_WINDOW_WINDOW_H

#include "app/view/session/viewer.h"
#include "app/view/window/glut.h"
#include "core/image/colour_space.h"

/* The beginning of the window: `open` opens the first subject, while the window is there already; the script (or NULL)
 * runs then. A failure of either ends the program. */
typedef struct WindowStart {
    int width, height;
    ViewerTask *open;
    void *inputs;
    const char *record; /* the recorder of draws (recorder.h), or NULL */
    const char *script;
    ColourSpace *monitor; /* in place of the desktop's, borrowed; NULL: as the desktop says */
} WindowStart;

/* Shows the viewer in a window of the system until the user closes it. STATUS_DEVICE if the window or its OpenGL
 * objects cannot be made. */
Status window_run(Viewer *viewer, System *system, const WindowStart *start);
/* For the system: the window is about to go, and its context is still current. */
void window_closes(Glut *glut);

#endif
