/* background.h: the window's thread while others work: its rests, its events, and tasks of the worker.
 * None of these may be called from within freeglut's callbacks. */
#ifndef GLINT_APP_VIEW_WINDOW_BACKGROUND_H
#define GLINT_APP_VIEW_WINDOW_BACKGROUND_H

#include "app/view/window/glut.h"

#define QUICK_MS 8.0 /* since it listened last, the window waits for quick work, so that it draws once */

/* Makes glut->wakes, by which rests end: before the first one, behind the worker and the listener (app/tev/listen.h).
 * STATUS_DEVICE if the system has no descriptor left. */
Status background_begin(Glut *glut);
void background_end(Glut *glut);
/* The thread begins to count how long it is deaf. */
void background_wake(Glut *glut);
/* Rests up to `ms` (-1: without end), or until something has come. */
void background_rest(Glut *glut, int ms);
/* Rests, and counts the rest as a time without anything to do. */
void background_idle(Glut *glut, int ms);
/* Keeps freeglut's events, and answers other programs. The window may close: then its id is 0. */
void background_take_events(Glut *glut);

/* The worker does the task, with all of the viewer or, if that is NULL, with the session that was lent. Meanwhile the
 * window goes on, and may close. Fails as the task does. */
Status background_do(Glut *glut, Viewer *viewer, ViewerTask *task, void *argument);
/* background_do with all of the viewer, which carries out changes at once. */
Status background_request(Glut *glut, ViewerTask *task, void *argument);
/* Carries out the requests of panels and the mouse. */
void background_settle(Glut *glut);

#endif
