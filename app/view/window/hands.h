/* hands.h: hands at the window, and other programs: keys, the mouse, panels, dropped and pasted texts, the picture's
 * file. */
#ifndef GLINT_APP_VIEW_WINDOW_HANDS_H
#define GLINT_APP_VIEW_WINDOW_HANDS_H

#include "app/view/window/glut.h"

/* Carries out what has come since the last time. False if the window is closed, or shall be. */
bool hands_serve(Glut *glut);

#endif
