/* draw.h: a draw of the window. */
#ifndef GLINT_APP_VIEW_WINDOW_DRAW_H
#define GLINT_APP_VIEW_WINDOW_DRAW_H

#include "app/view/window/glut.h"

/* Draws the viewer and shows the draw. The worker reduces large pictures meanwhile: the window may close. */
Status draw_frame(Glut *glut);

#endif
