/* window.h: the freeglut window around a viewer.
 * Owns the window, its OpenGL objects and the loop from events to pictures. */
#ifndef GLINT_APP_VIEW_WINDOW_WINDOW_H
#define GLINT_APP_VIEW_WINDOW_WINDOW_H

#include "app/view/session/viewer.h"
#include "app/view/window/x11.h"
#include "core/image/colour_space.h"

/* The beginning of the window: `open` opens the first subject, while the window is there already; the script (or NULL)
 * runs then. A failure of either ends the program. */
typedef struct WindowStart {
    int width, height;
    double dpi; /* from x11_probe */
    ViewerTask *open;
    void *inputs;
    const char *record; /* the recorder of draws (recorder.h), or NULL */
    const char *script;
    ColourSpace *monitor; /* in place of the desktop's, borrowed; NULL: as the desktop says */
} WindowStart;

/* Shows the viewer until the user closes the window. `hold` is from x11_probe; it is released once freeglut has the
 * display. STATUS_DEVICE if the window or its OpenGL objects cannot be made. */
Status window_run(Viewer *viewer, const WindowStart *start, X11Hold **hold);

#endif
