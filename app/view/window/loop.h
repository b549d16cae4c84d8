/* loop.h: the loop from events to pictures. */
#ifndef GLINT_APP_VIEW_WINDOW_LOOP_H
#define GLINT_APP_VIEW_WINDOW_LOOP_H

#include "app/view/window/glut.h"

#define NEWS_PAUSE 50.0 /* ms between looks for thumbnails */

/* Runs the changes of the input before the draw, so that each draw shows the latest result. False if there is nothing
 * left to do. */
bool loop_pass(Glut *glut);
/* Until the window is closed. */
void loop_run(Glut *glut);

#endif
