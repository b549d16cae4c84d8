/* glut_system.h: a window of the X Window System, by freeglut. */
#ifndef GLINT_APP_VIEW_WINDOW_GLUT_SYSTEM_H
#define GLINT_APP_VIEW_WINDOW_GLUT_SYSTEM_H

#include "app/view/window/system.h"

/* Asks the display whether it can show the window. Fails as x11_probe. */
Status glut_system_create(System **system);

#endif
