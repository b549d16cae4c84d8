/* browser.h: a window without a display, shown by pages of browsers: frames go there as JPEG, events come back. */
#ifndef GLINT_APP_VIEW_WINDOW_BROWSER_H
#define GLINT_APP_VIEW_WINDOW_BROWSER_H

#include "app/view/window/system.h"

/* Listens on a port of the loopback interface (0: one that is free). Signals are caught from now on: the first one
 * closes the window. STATUS_DEVICE if there is no libwebsockets, no OpenGL by EGL, or the port is taken. */
Status browser_create(int port, System **system);

extern const char browser_page[]; /* HTML */

#endif
