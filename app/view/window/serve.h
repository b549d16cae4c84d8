/* serve.h: requests that only the window can serve. */
#ifndef GLINT_APP_VIEW_WINDOW_SERVE_H
#define GLINT_APP_VIEW_WINDOW_SERVE_H

#include "app/view/window/glut.h"

/* Saves a picture of the whole window, once nothing is left to be done. */
Status serve_screenshot(Glut *glut, const char *path, bool overwrite);
/* Serves and clears the viewer's requests, up to the first that fails. */
Status serve_requests(Glut *glut);

#endif
