/* x11.h: the X display beneath freeglut. freeglut ends the program if no display can show the window, so glint asks
 * before. Owns functions that freeglut does not offer: the probe, the resolution, sleeping until there are events. */
#ifndef GLINT_APP_VIEW_WINDOW_X11_H
#define GLINT_APP_VIEW_WINDOW_X11_H

#include "core/base/status.h"

#include <stdbool.h>

/* A connection to the display, held while freeglut opens its own. A server that loses its last client may reset itself
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
/* The requests of other programs may come from windows that are gone when they are answered. Xlib's default would end
 * the program then; here it is no error. */
void x11_forgive_lost_windows(void);
/* From now on freeglut hears nothing of wishes to close the window, as of its frame's button: it would close it
 * unasked. x11_take_close says whether there was one since the last time. */
void x11_hear_close(void);
bool x11_take_close(void);
/* Whether events have come that nobody has taken. */
bool x11_has_events(void);
/* Sleeps until the display has more to be read, one of the two descriptors is readable, or a signal comes. It sleeps at
 * most `ms` (-1: without end). */
void x11_wait(int first, int second, int ms);
/* The time of the oldest event of the keyboard or the mouse that is still to be read, on clock_ms, to the millisecond.
 * `now` if there is none, or if the server does not tell it by the clock of this machine. */
double x11_input_ms(double now);
/* A time on the server's clock, below 10 s ago, on clock_ms; `now` if it is none. */
double x11_time_ms(unsigned long time, double now);

#endif
