/* x11.h: the X display beneath freeglut: whether there is a display that can show the window, asked before
 * freeglut, which ends the program where there is none. Owns functions that freeglut does not offer: the probe, the
 * resolution, sleeping until there are events. */
#ifndef GLINT_APP_VIEW_WINDOW_X11_H
#define GLINT_APP_VIEW_WINDOW_X11_H

#include "core/base/status.h"

#include <stdbool.h>

/* A connection to the display, held while freeglut opens its own: a server that loses its last client may reset itself
 * and refuse the next one. */
typedef struct X11Hold X11Hold;

/* STATUS_DEVICE in one sentence if there is no X display, or no OpenGL 3.3 core on it. *dpi is the desktop's resolution
 * (the resource Xft.dpi), or 0 if it sets none. */
Status x11_probe(double *dpi, X11Hold **hold);
void x11_release(X11Hold **hold); /* accepts NULL */

/* These are for the display of the current OpenGL context. */
/* A key that is held is not reported as let go between its repetitions. */
void x11_hold_keys(void);
/* Whether any key is down, wherever the keyboard's focus is. */
bool x11_holds_a_key(void);
/* The requests of other programs may come from windows that are gone when they are answered: that is no error, where it
 * would end the program. */
void x11_forgive_lost_windows(void);
/* Whether events have come that nobody has taken. */
bool x11_has_events(void);
/* Sleeps until the display has more to be read, one of the two descriptors is readable, a signal comes or `ms` are over
 * (-1: without end). */
void x11_wait(int first, int second, int ms);
/* The time of the oldest event of the keyboard or the mouse that is still to be read, on clock_ms, to the millisecond.
 * `now` if there is none, or if the server does not tell it by the clock of this machine. */
double x11_input_ms(double now);

#endif
