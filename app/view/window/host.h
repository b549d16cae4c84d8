/* host.h: the window as scripts drive it (app/view/actions/script.h). */
#ifndef GLINT_APP_VIEW_WINDOW_HOST_H
#define GLINT_APP_VIEW_WINDOW_HOST_H

#include "app/view/window/glut.h"

/* Runs the script in this file. Fails as script_run. */
Status host_run(Glut *glut, const char *script);

#endif
